import type { Transaction } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import { silentMention } from '@parley/shared/notice-text';
import type { User } from '@parley/shared/proto';
import { findUser } from '../accounts/users.sql';
import { loadRealmSettings } from '../organization/realms.sql';
import { type Notice, noticeEvents } from './notice-events';
import { welcomeEvents } from './welcome';

type NewPerson = Pick<User, 'id' | 'fullName'>;

/** Notices for a user who joins without an invitation. */
export async function newcomerEvents(
  tx: Transaction,
  realmId: number,
  person: NewPerson & Pick<User, 'role'>,
): Promise<DomainEvent[]> {
  return newcomersEvents(tx, realmId, person.role, [person]);
}

/** The same for users who join together, with the same role. */
export async function newcomersEvents(
  tx: Transaction,
  realmId: number,
  role: number,
  people: readonly NewPerson[],
): Promise<DomainEvent[]> {
  const userIds = people.map(({ id }) => id);
  return [...(await arrivalsEvents(tx, realmId, people)), ...(await welcomeEvents(tx, realmId, { userIds, role }))];
}

/** Announces the newcomer in the channel that the organization has chosen for it. */
export async function arrivalEvents(tx: Transaction, realmId: number, person: NewPerson): Promise<DomainEvent[]> {
  return arrivalsEvents(tx, realmId, [person]);
}

async function arrivalsEvents(tx: Transaction, realmId: number, people: readonly NewPerson[]): Promise<DomainEvent[]> {
  const { signup_announcements_stream_id: channelId } = await loadRealmSettings(tx, realmId);
  if (channelId < 0) return [];
  const to = { channelId, topic: 'signups' };
  const notices = people.map((person) => notice(to, `${silentMention(person)} joined this organization.`));
  return noticeEvents(tx, realmId, notices);
}

/** Notifies the inviter, unless their account is deactivated. */
export async function referrerEvents(
  tx: Transaction,
  realmId: number,
  referrerId: number,
  person: NewPerson,
): Promise<DomainEvent[]> {
  const referrer = await findUser(tx, realmId, referrerId);
  if (!referrer?.isActive) return [];
  const content = `${silentMention(person)} accepted your invitation to join Parley!`;
  return noticeEvents(tx, realmId, [notice({ userIds: [referrerId] }, content)]);
}

function notice(to: Notice['to'], content: string): Notice {
  return { from: 'notification-bot', to, content, readByIds: [] };
}

import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, userCreated } from '@parley/shared/events';
import type { NewAccount, User } from '@parley/shared/proto';
import { listStrangerIds, loadStrangers } from '../accounts/accessible-users';
import { findUsersByIds, insertBotService, insertPeople, insertUser } from '../accounts/users.sql';
import { loadActor } from '../actors/actor';
import { issueApiKey, issueApiKeys } from '../api-keys/api-keys';
import { issueBotKey } from '../api-keys/bot-keys';
import { nameKey } from '../base/name-key';
import { randomKey } from '../base/random-key';
import { systemGroupArrivals, systemGroupMoves } from '../groups/system-group-moves';
import { emailAudiences, emailAudiencesAt } from '../people/change-email';
import { type FirstChannels, joinFirstChannels } from '../subscriptions/begin-subscriptions';
import { beginSettings, beginUsualSettings, type Choices, NO_CHOICES } from '../user-settings/begin-settings';

export interface Account {
  realmId: number;
  email: string;
  fullName: string;
  role: number;
  bot: NewAccountOfBot | null;
  passwordHash: string | null;
  createdAtMs: number;
  /** Absent: the default channels, and no choices. */
  beginning?: Beginning;
}

/** A person's first channels and choices. */
export type Beginning = FirstChannels & Choices;

const USUAL_BEGINNING: Beginning = { channelIds: [], includesDefaultChannels: true, ...NO_CHOICES };

interface NewAccountOfBot {
  type: number;
  ownerId: number;
  service: { payloadUrl: string; interface: number } | null;
  /** The service's secret, see botKey(). */
  keySecret: string;
}

/**
 * Stores an account with its API key, a person's first channels, and the service of outgoing webhook bots. Returns the events to announce
 * in the same transaction.
 */
export async function openAccount(
  tx: Transaction,
  account: Account,
): Promise<{ newAccount: NewAccount; events: DomainEvent[]; user: User }> {
  const { realmId, email, bot, createdAtMs, beginning = USUAL_BEGINNING } = account;
  const userId = await insertUser(tx, { ...account, fullNameKey: nameKey(account.fullName) });
  if (!bot) await beginSettings(tx, realmId, { id: userId, deliveryEmail: email }, beginning);
  if (bot?.service) await insertBotService(tx, { realmId, userId, ...bot.service, token: randomKey() });
  const holder = { realmId, userId, createdAtMs };
  const apiKey = bot ? await issueBotKey(tx, bot.keySecret, holder) : await issueApiKey(tx, holder);
  const { user, isFullMember } = await loadActor(tx, { realmId, userId }, createdAtMs);
  const { role } = user;
  const events = await systemGroupMoves(tx, realmId, userId, null, { role, isFullMember });
  if (!bot)
    events.push(...(await joinFirstChannels(tx, { realmId, userIds: [userId], nowMs: createdAtMs }, beginning)));
  return { newAccount: { realmId, userId, email, apiKey }, events: [await creationOf(tx, user), ...events], user };
}

/** New people of one role, without passwords and choices. */
export interface NewPeople {
  realmId: number;
  role: number;
  createdAtMs: number;
  people: readonly { email: string; fullName: string }[];
}

/** The same for people who are alike, in as many statements as for one; returns the users in order. */
export async function openAccounts(
  tx: Transaction,
  { realmId, role, createdAtMs, people }: NewPeople,
): Promise<{ events: DomainEvent[]; users: User[] }> {
  const rows = people.map(({ email, fullName }) => ({ email, fullName, fullNameKey: nameKey(fullName), role }));
  const userIds = await insertPeople(tx, { realmId, createdAtMs }, rows);
  const opened = userIds.map((id, index) => ({ id, deliveryEmail: (people[index] as { email: string }).email }));
  await beginUsualSettings(tx, realmId, opened);
  await issueApiKeys(tx, { realmId, userIds, createdAtMs });
  const users = await findUsersByIds(tx, realmId, userIds);
  // The others began at the same time, in the same role.
  const { isFullMember } = await loadActor(tx, { realmId, userId: userIds[0] as number }, createdAtMs);
  const events = await systemGroupArrivals(tx, realmId, userIds, { role, isFullMember });
  events.push(...(await joinFirstChannels(tx, { realmId, userIds, nowMs: createdAtMs }, USUAL_BEGINNING)));
  const userOf = new Map(users.map((user) => [user.id, user]));
  const inOrder = userIds.map((id) => userOf.get(id) as User);
  return { events: [...(await creationsOf(tx, realmId, inOrder)), ...events], users: inOrder };
}

async function creationsOf(tx: Transaction, realmId: number, users: readonly User[]): Promise<DomainEvent[]> {
  const [first] = users as [User];
  const userIds = users.map(({ id }) => id);
  const strangersOf = await loadStrangers(tx, realmId, userIds);
  const audiencesOf = await emailAudiencesAt(tx, realmId, first.emailAddressVisibility);
  return users.map((user) => {
    const strangerIds = strangersOf(user.id);
    return userCreated(realmId, { user, ...audiencesOf(user, strangerIds), strangerIds });
  });
}

/** The first event of an account introduces the user. */
async function creationOf(tx: Transaction, user: User): Promise<DomainEvent> {
  const strangerIds = await listStrangerIds(tx, user.realmId, user.id);
  return userCreated(user.realmId, { user, ...(await emailAudiences(tx, user, strangerIds)), strangerIds });
}

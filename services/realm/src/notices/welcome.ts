import type { Transaction } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import { isAdministrator } from '@parley/shared/values';
import { loadRealmSettings } from '../organization/realms.sql';
import { type Notice, noticeEvents } from './notice-events';

const GREETING =
  'Hello, and welcome! I am the bot that greets everybody who is new here.\n\n' +
  'People talk in **channels**, and every conversation in a channel has a **topic**: so you can follow several at once, and skip ' +
  'what is not for you. Browse the channels, subscribe to what interests you, and start a topic whenever you begin something new.';

const FOR_ADMINISTRATORS =
  '\n\nYou **administer** this organization: you may invite people, make channels for them, and change how everything looks and ' +
  'works in the organization’s settings.';

interface NewUsers {
  userIds: readonly number[];
  role: number;
}

/** Events that welcome new users of a role. `invitedText`: the invitation's text in place of the organization's. */
export async function welcomeEvents(
  tx: Transaction,
  realmId: number,
  users: NewUsers,
  invitedText?: string,
): Promise<DomainEvent[]> {
  const customText = invitedText ?? (await loadRealmSettings(tx, realmId)).welcome_message_custom_text;
  return noticeEvents(tx, realmId, welcomeNotices(users, customText));
}

/**
 * The messages of the welcome bot to new users, which are for their first visit, not for their mailboxes. `customText` is the organization's
 * own message, empty when it has none.
 */
function welcomeNotices({ userIds, role }: NewUsers, customText: string): Notice[] {
  const greeting = GREETING + (isAdministrator(role) ? FOR_ADMINISTRATORS : '');
  const welcome = { from: 'welcome-bot', to: { userIds: [...userIds] }, readByIds: [], isQuiet: true } as const;
  const notices: Notice[] = [{ ...welcome, content: greeting, isStarred: true }];
  return customText === '' ? notices : [...notices, { ...welcome, content: customText }];
}

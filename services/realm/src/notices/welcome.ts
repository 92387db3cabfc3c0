import type { Transaction } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import { type TextLanguage, textLanguage } from '@parley/shared/texts';
import { NOTICE_TEXTS } from '@parley/shared/texts/notices';
import { isAdministrator } from '@parley/shared/values';
import { loadRealmSettings } from '../organization/realms.sql';
import { type Notice, noticeEvents } from './notice-events';

interface NewUsers {
  userIds: readonly number[];
  role: number;
}

/** Events that welcome new users of a role, in the organization's language. `invitedText`: the invitation's text in place of the organization's. */
export async function welcomeEvents(
  tx: Transaction,
  realmId: number,
  users: NewUsers,
  invitedText?: string,
): Promise<DomainEvent[]> {
  const { welcome_message_custom_text: ownText, default_language: language } = await loadRealmSettings(tx, realmId);
  return noticeEvents(tx, realmId, welcomeNotices(users, invitedText ?? ownText, textLanguage(language)));
}

/**
 * The messages of the welcome bot to new users, which are for their first visit, not for their mailboxes. `customText` is the organization's
 * own message, empty when it has none.
 */
function welcomeNotices({ userIds, role }: NewUsers, customText: string, language: TextLanguage): Notice[] {
  const { welcome: everybody, welcomeForAdministrators } = NOTICE_TEXTS[language];
  const greeting = isAdministrator(role) ? `${everybody}\n\n${welcomeForAdministrators}` : everybody;
  const welcome = { from: 'welcome-bot', to: { userIds: [...userIds] }, readByIds: [], isQuiet: true } as const;
  const notices: Notice[] = [{ ...welcome, content: greeting, isStarred: true }];
  return customText === '' ? notices : [...notices, { ...welcome, content: customText }];
}

import { groupBy } from '@parley/shared/values';
import type { MissedRow } from './missed-message.sql';

/** More conversations at once share one mail. */
export const MAX_SEPARATE_MAILS = 3;

/** The content of a mail in the table of mails: its messages are loaded when it is sent. */
export interface MissedMail {
  userId: number;
  /** By id. */
  messageIds: number[];
  /** Why the person gets it. */
  triggers: string[];
  /** The reason for each message; absent: queued by an earlier version. */
  triggersById?: Record<string, string>;
}

/** The mails about a person's missed messages: one for each conversation, or a single one about many. */
export function planMails(userId: number, missed: readonly MissedRow[]): MissedMail[] {
  const conversations = [...groupBy(missed, ({ conversation }) => conversation).values()];
  const mails = conversations.length > MAX_SEPARATE_MAILS ? [missed] : conversations;
  return mails
    .filter((rows) => rows.length > 0)
    .map((rows) => ({
      userId,
      messageIds: rows.map(({ messageId }) => messageId).sort((a, b) => a - b),
      triggers: [...new Set(rows.map(({ trigger }) => trigger))].sort(),
      triggersById: Object.fromEntries(rows.map(({ messageId, trigger }) => [messageId, trigger])),
    }));
}

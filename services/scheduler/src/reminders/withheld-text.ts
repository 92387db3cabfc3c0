import type { Reminder } from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import { groupBy } from '@parley/shared/values';
import type { Context } from '../context';
import { forgetQuotes, listQuoting } from './reminder.sql';

type Needed = Pick<Context, 'services'>;
type Text = Pick<Reminder, 'messageId' | 'content'>;

/** The text that the user may read now, without content of messages they can no longer read. */
export async function textOfNow({ services }: Needed, caller: Caller, { messageId, content }: Text): Promise<string> {
  const { messageIds } = await services.messages.findUnreadable(caller, { messageIds: [messageId] });
  return messageIds.length > 0 ? withheldText(content) : content;
}

/** The caller's reminders, without content they may no longer read. */
export async function withhold(ctx: Needed, caller: Caller, reminders: Reminder[]): Promise<Reminder[]> {
  if (reminders.length === 0) return reminders;
  const ids = [...new Set(reminders.map(({ messageId }) => messageId))];
  const { messageIds } = await ctx.services.messages.findUnreadable(caller, { messageIds: ids });
  const unreadable = new Set(messageIds);
  const renderedOnce = new Map<string, Promise<{ rendered: string }>>();
  const render = (content: string) => {
    const rendering = renderedOnce.get(content) ?? ctx.services.messages.renderContent(caller, { content });
    renderedOnce.set(content, rendering);
    return rendering;
  };
  return Promise.all(
    reminders.map(async (reminder) => {
      if (!unreadable.has(reminder.messageId)) return reminder;
      const content = withheldText(reminder.content);
      const { rendered: renderedContent } = await render(content);
      return { ...reminder, content, renderedContent };
    }),
  );
}

const BATCH_SIZE = 1_000;

/**
 * Removes the texts of purged messages from reminders, which may be due in years; archives would include them. Returns whether all were looked
 * at.
 */
export async function forgetPurged(
  { db, services }: Pick<Context, 'db' | 'services'>,
  stopping: AbortSignal,
): Promise<boolean> {
  let after = { realmId: 0, id: 0 };
  while (!stopping.aborted) {
    const reminders = await listQuoting(db, after, BATCH_SIZE);
    for (const [realmId, ofRealm] of groupBy(reminders, (each) => each.realmId)) {
      const asked = { realmId, messageIds: [...new Set(ofRealm.map(({ messageId }) => messageId))] };
      const purged = new Set((await services.messages.findPurged(newCall(), asked)).messageIds);
      const left = ofRealm.filter(({ messageId }) => purged.has(messageId));
      if (left.length > 0)
        await forgetQuotes(
          db,
          left.map((each) => ({ ...each, content: withheldText(each.content) })),
        );
    }
    const last = reminders.at(-1);
    if (!last || reminders.length < BATCH_SIZE) return true;
    after = last;
  }
  return false;
}

const SENTENCE = 'You requested a reminder for a message that you may not read any more.';

/** A reminder's text without its message: only the reader's own note remains. */
export function withheldText(content: string): string {
  const [opening = '', ...lines] = content.split('\n');
  // The first line names the conversation and ends with this only when a note follows.
  if (!opening.endsWith(' Note:')) return SENTENCE;
  const end = lines.findIndex((line) => !line.startsWith('> '));
  const note = end === -1 ? lines : lines.slice(0, end);
  return [`${SENTENCE} Note:`, ...note].join('\n');
}

import type { Message } from '@parley/shared/proto';
import type { Context } from '../context';
import { listReactions } from '../reactions/reactions.sql';
import { listSubmessages } from '../submessages/submessages.sql';

/** What hangs on a message. */
export type Attached = Pick<Message, 'reactions' | 'submessages'>;

const NOTHING: Attached = { reactions: [], submessages: [] };

/** What hangs on each of the messages: one statement of a kind for all of them. */
export async function loadAttached(
  { db }: Pick<Context, 'db'>,
  realmId: number,
  messageIds: readonly number[],
): Promise<(messageId: number) => Attached> {
  if (messageIds.length === 0) return () => NOTHING;
  const [reactions, submessages] = await Promise.all([
    listReactions(db, realmId, messageIds),
    listSubmessages(db, realmId, messageIds),
  ]);
  const attached = new Map<number, Attached>();
  const of = (messageId: number) => {
    const known = attached.get(messageId) ?? { reactions: [], submessages: [] };
    attached.set(messageId, known);
    return known;
  };
  for (const { messageId, ...reaction } of reactions) of(messageId).reactions.push(reaction);
  for (const submessage of submessages) of(submessage.messageId).submessages.push(submessage);
  return (messageId) => attached.get(messageId) ?? NOTHING;
}

import type { NarrowTerm } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { loadMessages } from '../messages/message.sql';
import { maySee, type Reader } from '../messages/permissions';
import { messageIdOf } from './check-terms';
import type { Conversation } from './narrow';

const REPLACED = new Set(['channel', 'topic', 'dm']);

/** Terms, and the conversation that stands for those that named one: it is where a message is now. */
export interface Followed {
  terms: readonly NarrowTerm[];
  conversation: Conversation | null;
}

/** `with` follows its message, wherever it went, as long as the reader may see it; otherwise the other terms stand. */
export async function followMessage(
  ctx: Context,
  caller: Caller,
  terms: readonly NarrowTerm[],
  reader: Reader,
): Promise<Followed> {
  const followed = terms.find(({ operator }) => operator === 'with');
  if (!followed) return { terms, conversation: null };
  const [message] = await loadMessages(ctx.db, caller.realmId, [messageIdOf(followed) as number], caller.userId);
  if (!message || !maySee(message, reader)) return { terms, conversation: null };
  const { conversationId, channelId } = message;
  return {
    terms: terms.filter(({ operator }) => !REPLACED.has(operator)),
    conversation: { id: conversationId, channelId },
  };
}

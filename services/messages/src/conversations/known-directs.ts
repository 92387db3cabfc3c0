import { VersionedMemory } from '@parley/shared/batch';
import type { Sql } from '@parley/shared/db';
import { systemClock } from '@parley/shared/values';
import { findDirectConversation } from './conversation.sql';

/** By database. Once written to, a conversation keeps its id until its organization is deleted, whose own id does not return. */
const KNOWN = new WeakMap<Sql, VersionedMemory<number>>();
const MAX_BYTES = 4 * 1024 * 1024;
const CONVERSATION_BYTES = 200;
const ONLY_VERSION = '';

/** The id of the conversation of exactly those participants (ascending), cached; null if there is none. */
export async function directConversationOf(
  sql: Sql,
  realmId: number,
  participantIds: readonly number[],
): Promise<number | null> {
  const memory = memoryOf(sql);
  const key = `${realmId}/${participantIds.join()}`;
  const known = memory.recall(key);
  if (known) return known.value;
  const found = await findDirectConversation(sql, realmId, participantIds);
  if (found?.isWritten) memory.keep(key, ONLY_VERSION, found.id, CONVERSATION_BYTES + key.length);
  return found?.id ?? null;
}

function memoryOf(sql: Sql): VersionedMemory<number> {
  const memory = KNOWN.get(sql) ?? new VersionedMemory<number>(systemClock, MAX_BYTES);
  KNOWN.set(sql, memory);
  return memory;
}

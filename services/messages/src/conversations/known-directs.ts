import type { Sql } from '@parley/shared/db';
import { LRUCache } from 'lru-cache';
import { findDirectConversation } from './conversation.sql';

type KnownIds = LRUCache<string, number>;

/** By database. Once written to, a conversation keeps its id until its organization is deleted, whose own id does not return. */
const KNOWN = new WeakMap<Sql, KnownIds>();
const MAX_CONVERSATIONS = 20_000;

/** The id of the conversation of exactly those participants (ascending), cached; null if there is none. */
export async function directConversationOf(
  sql: Sql,
  realmId: number,
  participantIds: readonly number[],
): Promise<number | null> {
  const ids = knownIdsOf(sql);
  const key = `${realmId}/${participantIds.join()}`;
  const known = ids.get(key);
  if (known !== undefined) return known;
  const found = await findDirectConversation(sql, realmId, participantIds);
  if (found?.isWritten) ids.set(key, found.id);
  return found?.id ?? null;
}

function knownIdsOf(sql: Sql): KnownIds {
  const ids = KNOWN.get(sql) ?? new LRUCache({ max: MAX_CONVERSATIONS });
  KNOWN.set(sql, ids);
  return ids;
}

import type { Sql } from '@parley/shared/db';
import type { MessageRow } from '../messages/message.sql';
import type { Reader } from '../messages/permissions';
import { flagsOf } from './flags-of';
import { loadReadState } from './read-state.sql';

/** The reader's flags for each of the messages, by message id. One statement. */
export async function loadFlags(
  sql: Sql,
  reader: Reader,
  messages: readonly MessageRow[],
): Promise<ReadonlyMap<number, string[]>> {
  const stored = await loadReadState(sql, reader.realm.id, reader.userId, messages);
  const storedById = new Map(stored.map((state) => [state.messageId, state]));
  return new Map(
    messages.flatMap((message) => {
      const state = storedById.get(message.id);
      return state ? [[message.id, flagsOf(message, reader, state)]] : [];
    }),
  );
}

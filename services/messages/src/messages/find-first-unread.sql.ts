import type { Sql } from '@parley/shared/db';
import { isInChannels } from '../narrows/conditions.sql';
import type { Bind, Condition } from '../narrows/narrow';
import { isInScope } from '../narrows/scope.sql';
import { firstUnread } from '../read-state/first-unread.sql';
import { prepared, type Search } from './search-query.sql';
import { unreadBoundsOf, unreadParametersIn } from './walk-unread.sql';

/** The oldest unread message in the channels and conversations that a search names; `isHeard` is a condition on these, too. */
export async function findFirstUnreadInPlaces(sql: Sql, search: Search, isHeard: Condition): Promise<number | null> {
  const { narrow, reader } = search;
  const values: unknown[] = [reader.realm.id];
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`;
  const isInPlace = [...(narrow.channelIds ? [isInChannels(narrow.channelIds)] : []), isHeard];
  const text = firstUnread(unreadParametersIn(search, bind), {
    ...unreadBoundsOf(search, bind),
    isInPlace: isInPlace.map((condition) => condition(bind)).join(' and '),
    isFound: isInScope(search, bind).alone,
  });
  const [row] = await sql.query<{ id: number | null }>(prepared(text), values);
  return row?.id ?? null;
}

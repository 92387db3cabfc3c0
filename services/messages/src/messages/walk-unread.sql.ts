import type { Sql } from '@parley/shared/db';
import { unreadParametersOf } from '../narrows/conditions.sql';
import type { Bind } from '../narrows/narrow';
import { countedChannelIds } from '../read-state/reading';
import {
  stretched,
  type UnreadBounds,
  type UnreadParameters,
  unreadBesideStretches,
  unreadStretches,
} from '../read-state/unread.sql';
import { Query, type Range, type Search } from './search-query.sql';
import { type Pace, type Progress, walk } from './walk.sql';

/** Goes through what is unread for the reader: what has been read, or is not theirs, is not looked at. */
export function walkUnread(sql: Sql, search: Search, range: Range, pace: Pace): Promise<Progress> {
  const query = new Query(search, range, { isUnreadKnown: true });
  const { order, bind } = query;
  const parameters = unreadParametersIn(search, bind);
  const bounds = { [order.unread]: '$2::bigint', ...unreadBoundsOf(search, bind) };
  const besides = { ...bounds, isFound: query.where, nearest: { order: order.sort, limit: '$3::bigint' } };
  const [first, last] = ['min(from_id)', 'max(to_id) - 1'];
  const [from, end] = order.sort === 'asc' ? [first, last] : [last, first];
  return walk(
    sql,
    query,
    {
      tables: [unreadStretches(parameters, bounds)],
      edges: `select ${from} as from_id, ${end} as end_id from stretch where from_id < to_id`,
      messagesBetween: (lowId, highId) =>
        `select unread.id, (${query.where}) is true as is_meant
         from (${stretched(parameters, { within: { lowId, highId } })}) as unread
         ${messageOf('unread')}`,
      // What was marked by hand may be all that there is: no more of it is read than is wanted.
      beside: `select m.id from (${unreadBesideStretches(parameters, besides)}) as besides ${messageOf('besides')}
         where ${query.where}`,
    },
    pace,
  );
}

/** Each message by its id: `offset 0` keeps the planner from going through all of them. */
function messageOf(unread: string): string {
  return `cross join lateral (select * from message where realm_id = $1 and id = ${unread}.id offset 0) m`;
}

/** For what is unread in the channels that a search names. */
export function unreadParametersIn({ reader, narrow: { channelIds } }: Search, bind: Bind): UnreadParameters {
  const counted = countedChannelIds(reader);
  return unreadParametersOf(reader, bind, channelIds && counted.filter((id) => channelIds.includes(id)));
}

/** Bounds of what is unread in the conversations, or the places, that a search names. */
export function unreadBoundsOf({ narrow: { conversations, places } }: Search, bind: Bind): UnreadBounds {
  if (conversations) {
    return {
      conversationIds: bind(
        conversations.map(({ id }) => id),
        'bigint[]',
      ),
    };
  }
  if (!places) return {};
  const [channelIds, conversationIds] = [bind(places.channelIds, 'bigint[]'), bind(places.conversationIds, 'bigint[]')];
  return { isInPlace: `(m.channel_id = any(${channelIds}) or m.conversation_id = any(${conversationIds}))` };
}

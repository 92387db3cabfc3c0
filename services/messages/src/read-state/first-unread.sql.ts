import {
  beganUnread,
  isInStretch,
  stretched,
  type UnreadBounds,
  type UnreadParameters,
  unreadBesideStretches,
  unreadStretches,
} from './unread.sql';

/** So many messages are gone through before each place is asked for its first. */
const WALKED_MESSAGES = 1_000;

/**
 * A query for the `id` of the oldest message that is unread for the reader, with no row or null when nothing is. The marks tell from
 * where on to look: there the first unread message is a few steps away, however many follow. Where so many messages of others come
 * first, every place is asked for its own first one by a step along its index.
 */
export function firstUnread(p: UnreadParameters, places: Omit<UnreadBounds, 'nearest'>): string {
  const bounds = { ...places, nearest: { order: 'asc', limit: '1' } } as const;
  return `with ${unreadStretches(p, bounds)}, walked as materialized (
      select m.id from (
        select id, conversation_id, sender_id, sent_channel_id, sent_version, is_read_by_sender, read_by_ids from message
        where realm_id = ${p.realmId} and id >= (select min(from_id) from stretch) order by id limit ${WALKED_MESSAGES}
      ) m join stretch s on ${isInStretch}
      where ${beganUnread(p)} order by m.id limit 1
    )
    select min(id) as id from (
      select id from walked
      union all
      select id from (${stretched(p, bounds)}) as in_places where (select id from walked) is null
      union all
      select id from (${unreadBesideStretches(p, bounds)}) as beside
    ) as first`;
}

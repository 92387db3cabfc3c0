import { composed, type Transaction } from '@parley/shared/db';
import { lockReadState } from './read-state.sql';

interface MovedMessages {
  realmId: number;
  /** Ascending or not, without repetition. */
  messageIds: readonly number[];
  from: { conversationId: number; channelId: number };
  to: { conversationId: number; channelId: number };
}

// Moved messages without others of the destination between them become one range.
const RUNS = `moved (id) as (select unnest($2::bigint[])
  ), bounds as (select min(id) as first, max(id) as last from moved
  ), own (id) as (
    select m.id from message m cross join bounds b
    where m.realm_id = $1 and m.conversation_id = $5 and m.id > b.first and m.id < b.last
      and not exists (select from moved where moved.id = m.id)
  ), numbered as (
    select id, is_moved, count(*) filter (where not is_moved) over (order by id) as run
    from (select id, true as is_moved from moved union all select id, false from own) as both_kinds
  ), runs (ids) as (
    select coalesce(range_agg(run.ids), '{}') from (
      select int8range(min(id), max(id) + 1) as ids from numbered where is_moved group by run
    ) as run
  )`;

// Among many messages of the destination there are as many runs, and what is computed with them takes milliseconds: only for users and
// marks that need it, once, and after all that can be computed without.
const ifAny = (marks: string) => `case when isempty(${marks}) then '{}' else runs.ids * ${marks} end`;
const withoutRuns = (marks: string) =>
  `case when isempty(${marks}) then '{}' else ${marks} - (select ids from runs) end`;

// Only users with stored read state of these conversations: nothing changes for others.
const CONCERNED = `concerned (user_id) as (
    select user_id from read_exception where realm_id = $1 and conversation_id = any(array[$3::bigint, $5::bigint])
    union
    select user_id from channel_read_watermark
    where realm_id = $1 and channel_id = any(array[$4::bigint, $6::bigint]) and $4::bigint <> $6::bigint
  ), known as (
    select u.user_id, coalesce(s.read, '{}') as source_read, coalesce(s.unread, '{}') as source_unread,
      int8multirange(int8range(1, greatest(w.message_id, a.message_id, 0) + 1)) - coalesce(s.unpassed, '{}') as source_passed,
      int8multirange(int8range(1, greatest(w.message_id, b.message_id, 0) + 1)) as passed
    from concerned u
    left join read_exception s on s.realm_id = $1 and s.user_id = u.user_id and s.conversation_id = $3
    left join read_watermark w on w.realm_id = $1 and w.user_id = u.user_id
    left join channel_read_watermark a on a.realm_id = $1 and a.user_id = u.user_id and a.channel_id = $4
    left join channel_read_watermark b on b.realm_id = $1 and b.user_id = u.user_id and b.channel_id = $6
  ), taken as materialized (
    select user_id, source_read + (source_passed - source_unread - passed) as read, source_unread as unread,
      passed - source_passed as unpassed
    from known
  ), kept as materialized (
    select user_id, ${ifAny('read')} as read, ${ifAny('unread')} as unread, ${ifAny('unpassed')} as unpassed
    from taken cross join runs
  )`;

// Planned for each move, which may concern one message or ten thousand.
export const MOVE_READ_STATE = composed(`with ${RUNS}, ${CONCERNED}
   insert into read_exception as e (realm_id, user_id, conversation_id, read, unread, unpassed)
   select $1, user_id, $5, kept.read, kept.unread, kept.unpassed from kept
   where kept.read <> '{}' or kept.unread <> '{}' or kept.unpassed <> '{}'
     or exists (select from read_exception d where d.realm_id = $1 and d.user_id = kept.user_id and d.conversation_id = $5)
   order by user_id
   on conflict (realm_id, user_id, conversation_id) do update set
     read = ${withoutRuns('e.read')} + excluded.read,
     unread = ${withoutRuns('e.unread')} + excluded.unread,
     unpassed = ${withoutRuns('e.unpassed')} + excluded.unpassed`);

/**
 * Keeps all users' read state of messages that change topic or channel: the effect of their marks and watermarks at the source is
 * stored at the destination. Called in the move's transaction, before or after the messages are updated. The cost depends on the
 * number of users with read state in either place.
 */
export async function moveReadState(tx: Transaction, { realmId, messageIds, from, to }: MovedMessages): Promise<void> {
  const channelIds = from.channelId === to.channelId ? [] : [from.channelId, to.channelId];
  await lockReadState(tx, [from.conversationId, to.conversationId], channelIds);
  await tx.query(MOVE_READ_STATE, [
    realmId,
    messageIds,
    from.conversationId,
    from.channelId,
    to.conversationId,
    to.channelId,
  ]);
}

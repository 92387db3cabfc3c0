import type { Sql } from '@parley/shared/db';
import type { PlannedMark, PlannedReader } from './plan-read-state';

/** Says how far people have read; nobody is set back. */
export async function insertReaders(sql: Sql, realmId: number, readers: readonly PlannedReader[]): Promise<void> {
  await sql.query(
    `insert into read_watermark as w (realm_id, user_id, message_id)
     select $1, reader.user_id, greatest(latest.id - reader.behind, 0)
     from unnest($2::bigint[], $3::bigint[]) as reader (user_id, behind)
     cross join (select id from message where realm_id = $1 order by id desc limit 1) latest
     on conflict (realm_id, user_id) do update set message_id = greatest(w.message_id, excluded.message_id)`,
    [realmId, readers.map(({ userId }) => userId), readers.map(({ behind }) => behind)],
  );
}

/** The latest messages of topics, where the one who has marked them received and did not write them. */
const MARKED = `marked as (
    select mark.user_id, m.conversation_id, m.id
    from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as mark (user_id, topic_id, from_version)
    join topic t on t.realm_id = $1 and t.id = mark.topic_id
    join message m on m.realm_id = $1 and m.id = t.max_message_id
    where m.sent_version >= mark.from_version and m.sender_id <> mark.user_id
  )`;

function markValues(realmId: number, marks: readonly PlannedMark[]): unknown[] {
  return [
    realmId,
    marks.map(({ userId }) => userId),
    marks.map(({ topicId }) => topicId),
    marks.map(({ fromVersion }) => fromVersion),
  ];
}

/** Messages that are read or unread other than the watermarks say. */
export async function insertExceptions(sql: Sql, realmId: number, marks: readonly PlannedMark[]): Promise<void> {
  await sql.query(
    `with ${MARKED}, told_apart as (
       select m.user_id, m.conversation_id, int8multirange(int8range(m.id, m.id + 1)) as ids,
         m.id <= coalesce(w.message_id, 0) as is_passed
       from marked m left join read_watermark w on w.realm_id = $1 and w.user_id = m.user_id
     )
     insert into read_exception (realm_id, user_id, conversation_id, read, unread)
     select $1, user_id, conversation_id, case when is_passed then '{}' else ids end, case when is_passed then ids else '{}' end
     from told_apart
     on conflict do nothing`,
    markValues(realmId, marks),
  );
}

export async function insertStars(sql: Sql, realmId: number, marks: readonly PlannedMark[]): Promise<void> {
  await sql.query(
    `with ${MARKED}
     insert into personal_flag (realm_id, user_id, message_id, is_starred)
     select $1, user_id, id, true from marked
     on conflict do nothing`,
    markValues(realmId, marks),
  );
}

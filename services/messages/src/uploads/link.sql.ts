import { fewRows, type Sql, statement, type Transaction } from '@parley/shared/db';
import type { UploadPlace } from '@parley/shared/proto';
import { z } from 'zod';

const INSERT_LINKS = statement(`with linked as (
     insert into attachment_link (realm_id, attachment_id, message_id)
     select $1, id, $2 from unnest($3::bigint[]) as id on conflict do nothing
   )
   update attachment set expires_at = null
   where realm_id = $1 and id = any($3::bigint[]) and state = 'stored' and expires_at is not null`);

/** Links the messages to the files; returns the ids of files that they did not link to before. */
export async function insertLinks(
  tx: Transaction,
  realmId: number,
  messageId: number,
  attachmentIds: readonly number[],
) {
  await tx.query(INSERT_LINKS, [realmId, messageId, attachmentIds]);
}

const LIST_LINKED = statement(
  'select distinct attachment_id as id from attachment_link where realm_id = $1 and message_id = any($2::bigint[]) order by 1',
  { id: z.number() },
);

/** Ids of the files that a message links to. */
export async function listLinked(sql: Sql, realmId: number, messageIds: readonly number[]): Promise<number[]> {
  const rows = await sql.query(LIST_LINKED, [realmId, messageIds]);
  return rows.map(({ id }) => id);
}

const DELETE_LINKS = statement(
  'delete from attachment_link where realm_id = $1 and message_id = any($2::bigint[]) and attachment_id = any($3::bigint[])',
);

/** Removes the messages' links to the files. */
export async function deleteLinks(
  tx: Transaction,
  realmId: number,
  messageIds: readonly number[],
  attachmentIds: readonly number[],
): Promise<void> {
  await tx.query(DELETE_LINKS, [realmId, messageIds, attachmentIds]);
}

const LET_UNUSED_EXPIRE = statement(
  `update attachment a set expires_at = greatest(to_timestamp($3 / 1000.0), a.kept_until)
   where a.realm_id = $1 and a.id = any($2::bigint[]) and a.state = 'stored' and not exists (
     select from attachment_link l where l.realm_id = a.realm_id and l.attachment_id = a.id
   ) returning id`,
  { id: z.number() },
);

/** Lets those of the files expire that no message links to; returns their ids. */
export async function letUnusedExpire(
  tx: Transaction,
  realmId: number,
  attachmentIds: readonly number[],
  expiresAtMs: number,
): Promise<number[]> {
  const rows = await tx.query(LET_UNUSED_EXPIRE, [realmId, attachmentIds, expiresAtMs]);
  return rows.map(({ id }) => id);
}

export const LIST_PLACES = statement(
  `select distinct l.attachment_id as "attachmentId", m.channel_id as "channelId", m.sent_channel_id as "sentChannelId",
     m.sent_version as "sentVersion", m.moved_version as "movedVersion", d.participant_ids as "participantIds"
   from attachment_link l
   join message m on m.realm_id = l.realm_id and m.id = l.message_id
   left join direct_conversation d on m.channel_id is null and d.realm_id = m.realm_id and d.id = m.conversation_id
   where l.realm_id = $1 and l.attachment_id = any($2::bigint[])`,
  {
    channelId: z.number().nullable(),
    sentChannelId: z.number().nullable(),
    sentVersion: z.number().nullable(),
    movedVersion: z.number().nullable(),
    participantIds: z.array(z.number()).nullable(),
    attachmentId: z.number(),
  },
);

/** The channels and conversations of all messages that link to the files, each once. */
export function listPlaces(sql: Sql, realmId: number, attachmentIds: readonly number[]) {
  return sql.query(LIST_PLACES, [realmId, attachmentIds]);
}

/** If its bytes are not deleted within this time, an expired file is listed again. */
const RETRY = "interval '1 hour'";

export const MARK_EXPIRED = statement(
  `update attachment a
  set state = case a.state when 'stored' then 'doomed' when 'incoming' then 'abandoned' else a.state end,
    expires_at = to_timestamp($1 / 1000.0) + ${RETRY}
  from ${fewRows(
    `select row(realm_id, id) from attachment where expires_at < to_timestamp($1 / 1000.0) order by expires_at limit $2
    for update skip locked`,
  )} as expired (realm_id bigint, id bigint)
  where a.realm_id = expired.realm_id and a.id = expired.id
  returning a.realm_id as "realmId", a.path_id as "pathId"`,
  { realmId: z.number(), pathId: z.string() },
);

/** Expired files: unreachable, but their bytes may still be stored. */
export function markExpired(sql: Sql, nowMs: number, limit: number): Promise<UploadPlace[]> {
  return sql.query(MARK_EXPIRED, [nowMs, limit]);
}

const DELETE_GONE = statement(
  `delete from attachment a using unnest($1::bigint[], $2::text[]) as gone (realm_id, path_id)
   where a.realm_id = gone.realm_id and a.path_id = gone.path_id and a.state <> 'stored'
   returning a.realm_id as "realmId", a.id, a.owner_id as "ownerId", a.size, a.state = 'doomed' as "wasStored"`,
  {
    realmId: z.number(),
    id: z.number(),
    ownerId: z.number(),
    size: z.number(),
    /** Its upload was complete. */
    wasStored: z.boolean(),
  },
);

/** Deletes the rows of files whose bytes are deleted, except those that are reachable again. */
export function deleteRowsOfDeleted(sql: Sql, places: readonly UploadPlace[]) {
  return sql.query(DELETE_GONE, [places.map(({ realmId }) => realmId), places.map(({ pathId }) => pathId)]);
}

import { onlyRow, type Sql, statement, type Transaction } from '@parley/shared/db';
import { type Draft, messageShape } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { z } from 'zod';

/** A draft as it is to be stored. */
export type NewDraft = Omit<Draft, 'id'>;
type Author = Pick<Caller, 'realmId' | 'userId'>;

const DRAFT_JSON = `json_strip_nulls(json_build_object('id', d.id, 'channelId', d.channel_id,
  'recipientIds', d.recipient_ids, 'topic', d.topic, 'content', d.content,
  'editedAtMs', (extract(epoch from d.edited_at) * 1000)::bigint)) as draft`;

const newest = (realmId: string, userId: string, limit: string) =>
  `select ${DRAFT_JSON} from draft d where d.realm_id = ${realmId} and d.user_id = ${userId}
   order by d.edited_at desc, d.id desc limit ${limit}`;

/** SQL for the author's newest drafts as a list in JSON, by time of the last edit. The arguments are SQL. */
export function draftsOf(realmId: string, userId: string, limit: string): string {
  return `(select coalesce(json_agg(newest.draft), '[]') from (${newest(realmId, userId, limit)}) newest)`;
}

const DRAFT = messageShape<Draft>('messages', 'Draft');
/** The shape of draftsOf(). */
export const DRAFTS = z.array(DRAFT);

const LIST = statement(newest('$1', '$2', '$3'), { draft: DRAFT });

/** The author's newest drafts, by time of the last edit. */
export async function listDrafts(sql: Sql, { realmId, userId }: Author, limit: number): Promise<Draft[]> {
  const rows = await sql.query(LIST, [realmId, userId, limit]);
  return rows.map(({ draft }) => draft);
}

const LOCK_DRAFT = statement(
  `select ${DRAFT_JSON} from draft d where d.realm_id = $1 and d.user_id = $2 and d.id = $3 for update`,
  { draft: DRAFT },
);

/** Null if the author has no such draft. Locks it until the transaction ends. */
export async function lockDraft(tx: Transaction, { realmId, userId }: Author, draftId: number): Promise<Draft | null> {
  const [row] = await tx.query(LOCK_DRAFT, [realmId, userId, draftId]);
  return row?.draft ?? null;
}

const MEASURE_DRAFTS = statement(
  `select count(*) as count, coalesce(sum(char_length(content)), 0)::bigint as characters
   from draft where realm_id = $1 and user_id = $2`,
  { count: z.number(), characters: z.number() },
);

/** How many drafts the author has, and the characters in them. */
export async function measureDrafts(sql: Sql, author: Author): Promise<{ count: number; characters: number }> {
  return onlyRow(await sql.query(MEASURE_DRAFTS, [author.realmId, author.userId]));
}

const INSERT_DRAFTS = statement(
  `with input as (
     select nextval('draft_id') as id, d.* from rows from (json_to_recordset($3::json) as (
       "channelId" bigint, "recipientIds" bigint[], topic text, content text, "editedAtMs" bigint)) with ordinality
       as d ("channelId", "recipientIds", topic, content, "editedAtMs", n)
   ), inserted as (
     insert into draft (realm_id, user_id, id, channel_id, recipient_ids, topic, content, edited_at)
     select $1, $2, id, "channelId", "recipientIds", topic, content, to_timestamp("editedAtMs" / 1000.0) from input
   )
   select id from input order by n`,
  { id: z.number() },
);

/** Returns their ids, in order. */
export async function insertDrafts(tx: Transaction, author: Author, drafts: readonly NewDraft[]): Promise<number[]> {
  const rows = await tx.query(INSERT_DRAFTS, [author.realmId, author.userId, JSON.stringify(drafts)]);
  return rows.map(({ id }) => id);
}

const REPLACE_DRAFT =
  statement(`update draft set channel_id = $4, recipient_ids = $5, topic = $6, content = $7, edited_at = to_timestamp($8 / 1000.0)
   where realm_id = $1 and user_id = $2 and id = $3`);

export async function replaceDraft(tx: Transaction, author: Author, { id, ...draft }: Draft): Promise<void> {
  await tx.query(REPLACE_DRAFT, [
    author.realmId,
    author.userId,
    id,
    draft.channelId ?? null,
    draft.recipientIds,
    draft.topic,
    draft.content,
    draft.editedAtMs,
  ]);
}

const DROP_DRAFTS = statement(`with fresh as (
     insert into draft_drop as d (realm_id, user_id, event_number) values ($1, $2, $3)
     on conflict (realm_id, user_id) do update set event_number = excluded.event_number
     where d.event_number < excluded.event_number
     returning 1
   )
   delete from draft where realm_id = $1 and user_id = $2 and exists (select from fresh)`);

/** Deletes all drafts of the author, once per event that requests it. */
export async function dropDrafts(sql: Sql, { realmId, userId }: Author, eventNumber: number): Promise<void> {
  await sql.query(DROP_DRAFTS, [realmId, userId, eventNumber]);
}

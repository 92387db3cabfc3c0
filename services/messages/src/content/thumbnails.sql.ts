import { type Sql, statement, type Transaction } from '@parley/shared/db';
import type { UploadPlace } from '@parley/shared/proto';
import { z } from 'zod';
import { COLUMNS, UPLOAD_ROW, type UploadRow } from '../uploads/attachment.sql';

export const TAKE_PENDING = statement(
  `update attachment a set thumbnails_tried_at = to_timestamp($1 / 1000.0)
  from (
    select realm_id, id from attachment
    where thumbnails = 'pending' and thumbnails_tried_at < to_timestamp($2 / 1000.0) and state = 'stored'
    order by thumbnails_tried_at limit $3 for update skip locked
  ) pending
  where a.realm_id = pending.realm_id and a.id = pending.id returning a.realm_id as "realmId", a.path_id as "pathId"`,
  { realmId: z.number(), pathId: z.string() },
);

/** Images without thumbnails and without a recent attempt (`triedBeforeMs`). */
export function takePending(sql: Sql, nowMs: number, triedBeforeMs: number, limit: number): Promise<UploadPlace[]> {
  return sql.query(TAKE_PENDING, [nowMs, triedBeforeMs, limit]);
}

const SETTLE = statement(
  `update attachment set thumbnails = $3
   where realm_id = $1 and path_id = $2 and state = 'stored' and (thumbnails = 'pending' or thumbnails = 'failed' and $3 = 'ready')
   returning id`,
  { id: z.number() },
);

/** Stores whether an image has thumbnails; null if it was stored before, or if there is no such image. */
export async function settle(
  tx: Transaction,
  { realmId, pathId }: UploadPlace,
  isReady: boolean,
): Promise<number | null> {
  const [row] = await tx.query(SETTLE, [realmId, pathId, isReady ? 'ready' : 'failed']);
  return row?.id ?? null;
}

/** A message that shows a placeholder, with its mentions. */
const WAITING_MESSAGE = {
  messageId: z.number(),
  topicParticipantIds: z.array(z.number()),
  mentionedIds: z.array(z.number()),
};

export type WaitingMessage = z.infer<z.ZodObject<typeof WAITING_MESSAGE>>;

const PLACEHOLDER = `'%image-loading-placeholder%'`;

const LOCK_WAITING = statement(
  `select m.id as "messageId", m.topic_participant_ids as "topicParticipantIds", array(
    select n.user_id from mention n where n.realm_id = m.realm_id and n.message_id = m.id) as "mentionedIds"
  from attachment_link l join message m on m.realm_id = l.realm_id and m.id = l.message_id
  where l.realm_id = $1 and l.attachment_id = $2 and ($3::bigint is null or l.message_id = $3)
    and m.rendered_content like ${PLACEHOLDER}
  order by m.id for update of m`,
  WAITING_MESSAGE,
);

/** Messages that link to the file and show a placeholder for any image (or a given message, if it does). Locked, by id. */
export function lockWaiting(
  tx: Transaction,
  realmId: number,
  attachmentId: number,
  messageId: number | null = null,
): Promise<WaitingMessage[]> {
  return tx.query(LOCK_WAITING, [realmId, attachmentId, messageId]);
}

const LIST_WAITING_IN = statement(
  `select m.id as "messageId", m.channel_id as "channelId"
   from attachment a join attachment_link l on l.realm_id = a.realm_id and l.attachment_id = a.id
     join message m on m.realm_id = l.realm_id and m.id = l.message_id
   where a.realm_id = $1 and a.path_id = $2 and m.channel_id is not null and m.rendered_content like ${PLACEHOLDER}`,
  {
    messageId: z.number(),
    channelId: z.number(),
  },
);

/** Channels of messages that show a placeholder for the file. */
export async function listWaitingIn(sql: Sql, { realmId, pathId }: UploadPlace) {
  return sql.query(LIST_WAITING_IN, [realmId, pathId]);
}

const LIST_SETTLED_BEHIND = statement(
  `select ${COLUMNS} from attachment where realm_id = $1 and id = any($3::bigint[]) and thumbnails in ('ready', 'failed')
     and exists (select from message m where m.realm_id = $1 and m.id = $2 and m.rendered_content like ${PLACEHOLDER})
   order by id`,
  UPLOAD_ROW,
);

/** Files with a placeholder in a message whose thumbnails have been settled. */
export function listSettledBehind(
  sql: Sql,
  realmId: number,
  messageId: number,
  attachmentIds: readonly number[],
): Promise<UploadRow[]> {
  return sql.query(LIST_SETTLED_BEHIND, [realmId, messageId, attachmentIds]);
}

const SET_RENDERED = statement(`update message m set rendered_content = r.rendered_content
   from unnest($2::bigint[], $3::text[]) as r (id, rendered_content) where m.realm_id = $1 and m.id = r.id`);

/** `rendered` is by message id. */
export async function setRendered(
  tx: Transaction,
  realmId: number,
  rendered: ReadonlyMap<number, string>,
): Promise<void> {
  await tx.query(SET_RENDERED, [realmId, [...rendered.keys()], [...rendered.values()]]);
}

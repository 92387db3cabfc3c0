import { onlyRow, type Sql, statement, type Transaction } from '@parley/shared/db';
import { type Attachment, type LinkingMessage, messageShape, type UploadedImage } from '@parley/shared/proto';
import { z } from 'zod';
import { ORGANIZATION, ownQuota, type Space } from './upload-quota.sql';

/** A file's row; `partEnds` is for a file that is being uploaded. */
export const UPLOAD_ROW = {
  id: z.number(),
  ownerId: z.number(),
  pathId: z.string(),
  name: z.string(),
  contentType: z.string(),
  size: z.number(),
  createdAtMs: z.number(),
  state: z.enum(['incoming', 'stored', 'abandoned', 'doomed']),
  partEnds: z.array(z.number()),
  /** The attempt of each part, in order; empty or shorter in rows of the previous version. */
  partAttempts: z.array(z.string()),
  imageType: z.string().nullable(),
  imageWidth: z.number().nullable(),
  imageHeight: z.number().nullable(),
  imageFrames: z.number().nullable(),
  thumbnails: z.enum(['none', 'pending', 'ready', 'failed']),
};

export type UploadRow = z.infer<z.ZodObject<typeof UPLOAD_ROW>>;
export type UploadState = UploadRow['state'];

export const COLUMNS = `id, owner_id as "ownerId", path_id as "pathId", name, content_type as "contentType", size,
  created_at as "createdAtMs", state, part_ends as "partEnds", part_attempts as "partAttempts", image_type as "imageType", image_width as "imageWidth",
  image_height as "imageHeight", image_frames as "imageFrames", thumbnails`;

interface NewUpload {
  realmId: number;
  ownerId: number;
  pathId: string;
  name: string;
  contentType: string;
  size: number;
  createdAtMs: number;
  expiresAtMs: number;
}

const INSERT_UPLOAD =
  statement(`insert into attachment (realm_id, owner_id, path_id, name, content_type, size, created_at, state, expires_at)
   values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0), 'incoming', to_timestamp($8 / 1000.0))`);

/** Creates the row of a file that is being uploaded. */
export async function insertUpload(sql: Sql, upload: NewUpload): Promise<void> {
  const { realmId, ownerId, pathId, name, contentType, size, createdAtMs, expiresAtMs } = upload;
  await sql.query(INSERT_UPLOAD, [realmId, ownerId, pathId, name, contentType, size, createdAtMs, expiresAtMs]);
}

export const LIST_BY_PATH = statement(
  `select ${COLUMNS} from attachment where realm_id = $1 and path_id = any($2::text[]) order by id`,
  UPLOAD_ROW,
);

/** Files by their path ids, whatever their state. */
export function listByPath(sql: Sql, realmId: number, pathIds: readonly string[]): Promise<UploadRow[]> {
  return sql.query(LIST_BY_PATH, [realmId, pathIds]);
}

const LOCK_BY_PATH = statement(`${LIST_BY_PATH.text} for update`, UPLOAD_ROW);

/** Locks the file until the transaction ends. */
export async function lockByPath(tx: Transaction, realmId: number, pathId: string): Promise<UploadRow | null> {
  const [row] = await tx.query(LOCK_BY_PATH, [realmId, [pathId]]);
  return row ?? null;
}

const LOCK_ATTACHMENTS = statement(
  'select id from attachment where realm_id = $1 and id = any($2::bigint[]) order by id for update',
  { id: z.number() },
);

/** Locks files, in the order of their ids. */
export async function lockAttachments(tx: Transaction, realmId: number, ids: readonly number[]): Promise<void> {
  await tx.query(LOCK_ATTACHMENTS, [realmId, ids]);
}

const EXTEND_UPLOAD_RETENTION =
  statement(`update attachment set kept_until = greatest(kept_until, to_timestamp($3 / 1000.0)),
     expires_at = case when expires_at is null then null else greatest(expires_at, to_timestamp($3 / 1000.0)) end
   where realm_id = $1 and id = any($2::bigint[]) and state = 'stored'`);

/** Keeps files for a later message at least until that time, even if no message links to them. */
export async function extendUploadRetention(
  sql: Sql,
  realmId: number,
  ids: readonly number[],
  untilMs: number,
): Promise<void> {
  await sql.query(EXTEND_UPLOAD_RETENTION, [realmId, ids, untilMs]);
}

interface NewPart {
  realmId: number;
  ownerId: number;
  pathId: string;
  fromOffset: number;
  toOffset: number;
  attempt: string;
}

const ADD_PART = statement(
  `update attachment set part_ends = part_ends || $5::bigint,
     part_attempts = part_attempts || array_fill(''::text, array[cardinality(part_ends) - cardinality(part_attempts)]) || $6::text
   where realm_id = $1 and path_id = $2 and owner_id = $3 and state = 'incoming' and cardinality(part_ends) < $7
     and coalesce(part_ends[cardinality(part_ends)], 0) = $4 and $5 > $4 and $5 <= size
   returning ${COLUMNS}`,
  UPLOAD_ROW,
);

/** Adds a part that begins at the file's current end, if it fits; null: it does not. */
export async function addPart(sql: Sql, part: NewPart, maxParts: number): Promise<UploadRow | null> {
  const { realmId, ownerId, pathId, fromOffset, toOffset, attempt } = part;
  const [row] = await sql.query(
    // Parts added by a replica of the previous version have no attempts.
    ADD_PART,
    [realmId, pathId, ownerId, fromOffset, toOffset, attempt, maxParts],
  );
  return row ?? null;
}

interface StoredUpload {
  size: number;
  image: UploadedImage | null;
  expiresAtMs: number;
}

const MARK_STORED = statement(
  `update attachment set state = 'stored', size = $3, part_ends = '{}', part_attempts = '{}', expires_at = to_timestamp($4 / 1000.0), image_type = $5,
     image_width = $6, image_height = $7, image_frames = $8, thumbnails = case when $5::text is null then 'none' else 'pending' end,
     thumbnails_tried_at = created_at
   where realm_id = $1 and path_id = $2 returning id`,
  { id: z.number() },
);

/** Marks the file as complete; returns its id. */
export async function markStored(
  tx: Transaction,
  realmId: number,
  pathId: string,
  stored: StoredUpload,
): Promise<number> {
  const { size, image, expiresAtMs } = stored;
  return onlyRow(
    await tx.query(MARK_STORED, [
      realmId,
      pathId,
      size,
      expiresAtMs,
      image?.contentType,
      image?.width,
      image?.height,
      image?.frames,
    ]),
  ).id;
}

const ADD_SPACE = statement(
  `insert into upload_space as s (realm_id, bytes) values ($1, greatest($2::bigint, 0))
   on conflict (realm_id) do update set bytes = greatest(s.bytes + $2::bigint, 0)
   returning bytes, ${ownQuota('$1', ORGANIZATION)} as quota`,
  { bytes: z.number(), quota: z.strictObject({ mib: z.number().nullable() }).nullable() },
);

/** Adds to (or, if negative, subtracts from) the organization's used space; returns the total. */
export async function addSpace(tx: Transaction, realmId: number, bytes: number): Promise<Space> {
  return onlyRow(await tx.query(ADD_SPACE, [realmId, bytes]));
}

const FIND_SPACE = statement(
  `select coalesce((select bytes from upload_space where realm_id = $1), 0)::bigint as bytes,
     ${ownQuota('$1', ORGANIZATION)} as quota`,
  { bytes: z.number(), quota: z.strictObject({ mib: z.number().nullable() }).nullable() },
);

/** The total size of the organization's files. */
export async function findSpace(sql: Sql, realmId: number): Promise<Space> {
  return onlyRow(await sql.query(FIND_SPACE, [realmId]));
}

const FIND_OWNERS_SPACE = statement(
  `select coalesce(sum(size), 0)::bigint as bytes, ${ownQuota('$1', '$2')} as quota from attachment
   where realm_id = $1 and owner_id = $2 and path_id <> $3 and state in ('incoming', 'stored')`,
  { bytes: z.number(), quota: z.strictObject({ mib: z.number().nullable() }).nullable() },
);

/** The total size of an account's files and running uploads, except one. */
export async function findOwnersSpace(
  sql: Sql,
  { realmId, ownerId, exceptPathId }: { realmId: number; ownerId: number; exceptPathId: string },
): Promise<Space> {
  return onlyRow(await sql.query(FIND_OWNERS_SPACE, [realmId, ownerId, exceptPathId]));
}

/** An attachment and its owner. */
interface OwnedAttachment {
  ownerId: number;
  attachment: Attachment;
}

const ATTACHMENT_ROW = {
  name: z.string(),
  id: z.number(),
  pathId: z.string(),
  size: z.number(),
  createdAtMs: z.number(),
  ownerId: z.number(),
  messages: z.array(messageShape<LinkingMessage>('messages', 'LinkingMessage')).nullable(),
};

type AttachmentRow = z.infer<z.ZodObject<typeof ATTACHMENT_ROW>>;

/** Only the newest messages are named: any number may link to a file. */
const MAX_LINKS_SHOWN = 1_000;

const WITH_MESSAGES = `select a.owner_id as "ownerId", a.id, a.name, a.path_id as "pathId", a.size, a.created_at as "createdAtMs",
    (select json_agg(json_build_object('id', id, 'sentAtMs', floor(extract(epoch from sent_at) * 1000)) order by id)
     from (
       select m.id, m.sent_at from attachment_link l join message m on m.realm_id = l.realm_id and m.id = l.message_id
       where l.realm_id = a.realm_id and l.attachment_id = a.id order by l.message_id desc limit ${MAX_LINKS_SHOWN}
     ) newest) as messages
  from attachment a where a.realm_id = $1 and a.state = 'stored'`;

const LOAD_ATTACHMENTS = statement(`${WITH_MESSAGES} and a.id = any($2::bigint[]) order by a.id`, ATTACHMENT_ROW);

/** The stored files among the ids, by id. */
export async function loadAttachments(sql: Sql, realmId: number, ids: readonly number[]): Promise<OwnedAttachment[]> {
  const rows = await sql.query(LOAD_ATTACHMENTS, [realmId, ids]);
  return rows.map(toOwned);
}

const LIST_OWN = statement(`${WITH_MESSAGES} and a.owner_id = $2 order by a.id`, ATTACHMENT_ROW);

export async function listOwn(sql: Sql, realmId: number, ownerId: number): Promise<Attachment[]> {
  const rows = await sql.query(LIST_OWN, [realmId, ownerId]);
  return rows.map((row) => toOwned(row).attachment);
}

function toOwned({ ownerId, messages, ...facts }: AttachmentRow): OwnedAttachment {
  return { ownerId, attachment: { ...facts, messages: messages ?? [] } };
}

const DELETE_OWN = statement(
  `with gone as (
     delete from attachment where realm_id = $1 and owner_id = $2 and id = $3 and state = 'stored' returning id, size
   ), unlinked as (
     delete from attachment_link l using gone where l.realm_id = $1 and l.attachment_id = gone.id
   )
   select id, size from gone`,
  {
    id: z.number(),
    size: z.number(),
  },
);

/** Deletes a user's stored file and its links; null if there is none. */
export async function deleteOwn(tx: Transaction, realmId: number, ownerId: number, id: number) {
  const [deleted] = await tx.query(DELETE_OWN, [realmId, ownerId, id]);
  return deleted ?? null;
}

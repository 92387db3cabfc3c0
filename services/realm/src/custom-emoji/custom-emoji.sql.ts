import type { Sql } from '@parley/shared/db';
import type { CustomEmoji } from '@parley/shared/proto';
import type { EmojiFile } from './emoji-files';

/** SQL: an organization's custom emoji, deactivated ones included, as a JSON array by id. The argument is SQL. */
export function customEmojiOf(realmId: string): string {
  return `(select coalesce(json_agg(json_strip_nulls(json_build_object('id', e.id, 'realmId', e.realm_id, 'name', e.name,
      'fileName', e.file_name, 'stillFileName', e.still_file_name, 'isDeactivated', e.is_deactivated,
      'authorId', e.author_id)) order by e.id), '[]')
    from custom_emoji e where e.realm_id = ${realmId})`;
}

/** SQL: those in use that bear one of the names, as a JSON array, null for none. The arguments are SQL. */
export function customEmojiNamed(realmId: string, names: string): string {
  return `(select json_agg(json_build_object('id', e.id, 'realmId', e.realm_id, 'name', e.name, 'fileName', e.file_name,
      'isDeactivated', false))
    from custom_emoji e where e.realm_id = ${realmId} and e.name = any(${names}) and not e.is_deactivated)`;
}

export async function listCustomEmojiOf(sql: Sql, realmId: number): Promise<CustomEmoji[]> {
  const [row] = await sql.query<{ list: CustomEmoji[] }>(`select ${customEmojiOf('$1')} as list`, [realmId]);
  return (row as { list: CustomEmoji[] }).list;
}

interface NewCustomEmoji {
  realmId: number;
  name: string;
  authorId: number;
  fileName: string;
  stillFileName: string | null;
  createdAtMs: number;
}

export const EMOJI_NAME_IS_UNIQUE = 'custom_emoji_name_is_unique';

/** Violates EMOJI_NAME_IS_UNIQUE when an active emoji has the name. */
export async function insertCustomEmoji(sql: Sql, emoji: NewCustomEmoji): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `insert into custom_emoji (realm_id, name, author_id, file_name, still_file_name, created_at)
     values ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0)) returning id`,
    [emoji.realmId, emoji.name, emoji.authorId, emoji.fileName, emoji.stillFileName, emoji.createdAtMs],
  );
  return (row as { id: number }).id;
}

export async function insertEmojiImage(sql: Sql, realmId: number, file: EmojiFile): Promise<void> {
  await sql.query('insert into custom_emoji_image (realm_id, file_name, content_type, bytes) values ($1, $2, $3, $4)', [
    realmId,
    file.fileName,
    file.contentType,
    file.bytes,
  ]);
}

export async function markDeactivated(sql: Sql, realmId: number, emojiId: number): Promise<void> {
  await sql.query('update custom_emoji set is_deactivated = true where realm_id = $1 and id = $2', [realmId, emojiId]);
}

interface EmojiImageRow {
  contentType: string;
  bytes: Buffer;
}

/** Null when the organization has no such image. */
export async function findEmojiImage(sql: Sql, realmId: number, fileName: string): Promise<EmojiImageRow | null> {
  const [row] = await sql.query<EmojiImageRow>(
    `select content_type as "contentType", bytes from custom_emoji_image where realm_id = $1 and file_name = $2`,
    [realmId, fileName],
  );
  return row ?? null;
}

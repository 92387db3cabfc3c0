import { onlyRow, type Sql, statement } from '@parley/shared/db';
import { type CustomEmoji, messageShape } from '@parley/shared/proto';
import { z } from 'zod';

/** SQL: an organization's custom emoji, deactivated ones included, as a JSON array by id. The argument is SQL. */
export function customEmojiOf(realmId: string): string {
  return `(select coalesce(json_agg(json_strip_nulls(json_build_object('id', e.id, 'realmId', e.realm_id, 'name', e.name,
      'fileName', e.file_name, 'stillFileName', e.still_file_name, 'isDeactivated', e.is_deactivated,
      'authorId', e.author_id)) order by e.id), '[]')
    from custom_emoji e where e.realm_id = ${realmId})`;
}

/** SQL: active emoji with one of the names, as a JSON array, null for none. The arguments are SQL. */
export function customEmojiNamed(realmId: string, names: string): string {
  return `(select json_agg(json_build_object('id', e.id, 'realmId', e.realm_id, 'name', e.name, 'fileName', e.file_name,
      'isDeactivated', false))
    from custom_emoji e where e.realm_id = ${realmId} and e.name = any(${names}) and not e.is_deactivated)`;
}

// As JSON: an organization may have thousands.
const LIST = statement(`select ${customEmojiOf('$1')} as list`, {
  list: z.array(messageShape<CustomEmoji>('realm', 'CustomEmoji')),
});

export async function listCustomEmojiOf(sql: Sql, realmId: number): Promise<CustomEmoji[]> {
  return onlyRow(await sql.query(LIST, [realmId])).list;
}

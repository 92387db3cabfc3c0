import type { Sql } from '@parley/shared/db';
import type { ChannelFolder } from '@parley/shared/proto';
import { renderedFrom } from '../rendered-texts/stale-texts.sql';

/** SQL: an organization's channel folders as a JSON array, in their order, archived ones included. The argument is SQL. */
export function channelFoldersOf(realmId: string): string {
  return `(select coalesce(json_agg(json_strip_nulls(json_build_object('id', f.id, 'name', f.name,
      'description', f.description, 'renderedDescription', f.rendered_description, 'order', f.position,
      'creatorId', f.creator_id, 'isArchived', f.is_archived,
      'createdAtMs', (extract(epoch from f.created_at) * 1000)::bigint)) order by f.position, f.id), '[]')
    from channel_folder f where f.realm_id = ${realmId})`;
}

export async function listChannelFoldersOf(sql: Sql, realmId: number): Promise<ChannelFolder[]> {
  const [row] = await sql.query<{ list: ChannelFolder[] }>(`select ${channelFoldersOf('$1')} as list`, [realmId]);
  return (row as { list: ChannelFolder[] }).list;
}

type NewFolder = Omit<ChannelFolder, 'id'> & { nameKey: string };

export async function insertChannelFolder(sql: Sql, realmId: number, folder: NewFolder): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `insert into channel_folder (realm_id, name, name_key, description, rendered_description, rendered_from, position,
       creator_id, created_at)
     values ($1, $2, $3, $4, $5, ${renderedFrom('$4::text')}, $6, $7, to_timestamp($8 / 1000.0)) returning id`,
    [
      realmId,
      folder.name,
      folder.nameKey,
      folder.description,
      folder.renderedDescription,
      folder.order,
      folder.creatorId ?? null,
      folder.createdAtMs,
    ],
  );
  return (row as { id: number }).id;
}

export async function storeChannelFolder(
  sql: Sql,
  realmId: number,
  folder: ChannelFolder & { nameKey: string },
): Promise<void> {
  await sql.query(
    `update channel_folder set name = $3, name_key = $4, description = $5, rendered_description = $6,
       rendered_from = ${renderedFrom('$5::text')}, is_archived = $7
     where realm_id = $1 and id = $2`,
    [
      realmId,
      folder.id,
      folder.name,
      folder.nameKey,
      folder.description,
      folder.renderedDescription,
      folder.isArchived,
    ],
  );
}

/** Puts folders into the order of the ids. */
export async function storeChannelFolderOrder(sql: Sql, realmId: number, orderedIds: readonly number[]): Promise<void> {
  await sql.query(
    `update channel_folder f set position = place.n - 1
     from unnest($2::bigint[]) with ordinality as place (id, n)
     where f.realm_id = $1 and f.id = place.id`,
    [realmId, orderedIds],
  );
}

/** Keeps the folder's row from whoever puts a channel into it: the reference from the channel waits for this lock. */
export async function lockChannelFolder(sql: Sql, realmId: number, folderId: number): Promise<void> {
  await sql.query('select 1 from channel_folder where realm_id = $1 and id = $2 for update', [realmId, folderId]);
}

/** Whether any channel, archived or not, is in the folder. */
export async function hasChannels(sql: Sql, realmId: number, folderId: number): Promise<boolean> {
  const [row] = await sql.query<{ found: boolean }>(
    'select exists (select 1 from channel where realm_id = $1 and folder_id = $2) as found',
    [realmId, folderId],
  );
  return row?.found === true;
}

/**
 * Whether channels may be put into the folder: it exists and is not archived. It stays so until the transaction ends. Called by
 * whoever sets a channel's folder.
 */
export async function holdOpenChannelFolder(sql: Sql, realmId: number, folderId: number): Promise<boolean> {
  const rows = await sql.query(
    'select 1 from channel_folder where realm_id = $1 and id = $2 and not is_archived for key share',
    [realmId, folderId],
  );
  return rows.length > 0;
}

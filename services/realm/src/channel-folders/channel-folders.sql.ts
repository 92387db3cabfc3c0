import { onlyRow, type Sql, statement } from '@parley/shared/db';
import { type ChannelFolder, messageShape } from '@parley/shared/proto';
import { z } from 'zod';
import { renderedFrom } from '../base/rendered-from';

// SQL, not Prisma: the database computes `rendered_from`, and folders are locked.

/** SQL: an organization's channel folders as a JSON array, in their order, archived ones included. The argument is SQL. */
export function channelFoldersOf(realmId: string): string {
  return `(select coalesce(json_agg(json_strip_nulls(json_build_object('id', f.id, 'name', f.name,
      'description', f.description, 'renderedDescription', f.rendered_description, 'order', f.position,
      'creatorId', f.creator_id, 'isArchived', f.is_archived,
      'createdAtMs', (extract(epoch from f.created_at) * 1000)::bigint)) order by f.position, f.id), '[]')
    from channel_folder f where f.realm_id = ${realmId})`;
}

const LIST = statement(`select ${channelFoldersOf('$1')} as list`, {
  list: z.array(messageShape<ChannelFolder>('realm', 'ChannelFolder')),
});

export async function listChannelFoldersOf(sql: Sql, realmId: number): Promise<ChannelFolder[]> {
  return onlyRow(await sql.query(LIST, [realmId])).list;
}

const INSERT = statement(
  `insert into channel_folder (realm_id, name, name_key, description, rendered_description, rendered_from, position,
     creator_id, created_at)
   values ($1, $2, $3, $4, $5, ${renderedFrom('$4::text')}, $6, $7, to_timestamp($8 / 1000.0)) returning id`,
  { id: z.number() },
);

type NewFolder = Omit<ChannelFolder, 'id'> & { nameKey: string };

export async function insertChannelFolder(sql: Sql, realmId: number, folder: NewFolder): Promise<number> {
  const { name, nameKey, description, renderedDescription, order, creatorId = null, createdAtMs } = folder;
  const values = [realmId, name, nameKey, description, renderedDescription, order, creatorId, createdAtMs];
  return onlyRow(await sql.query(INSERT, values)).id;
}

const STORE = statement(
  `update channel_folder set name = $3, name_key = $4, description = $5, rendered_description = $6,
     rendered_from = ${renderedFrom('$5::text')}, is_archived = $7
   where realm_id = $1 and id = $2`,
);

export async function storeChannelFolder(
  sql: Sql,
  realmId: number,
  folder: ChannelFolder & { nameKey: string },
): Promise<void> {
  const { id, name, nameKey, description, renderedDescription, isArchived } = folder;
  await sql.query(STORE, [realmId, id, name, nameKey, description, renderedDescription, isArchived]);
}

const STORE_ORDER = statement(
  `update channel_folder f set position = place.n - 1
   from unnest($2::bigint[]) with ordinality as place (id, n)
   where f.realm_id = $1 and f.id = place.id`,
);

/** Puts folders into the order of the ids. */
export async function storeChannelFolderOrder(sql: Sql, realmId: number, orderedIds: readonly number[]): Promise<void> {
  await sql.query(STORE_ORDER, [realmId, orderedIds]);
}

const LOCK = statement('select id from channel_folder where realm_id = $1 and id = $2 for update', { id: z.number() });

/** Locks the folder's row against transactions that put a channel into it: their foreign key waits for this lock. */
export async function lockChannelFolder(sql: Sql, realmId: number, folderId: number): Promise<void> {
  await sql.query(LOCK, [realmId, folderId]);
}

const HAS_CHANNELS = statement(
  'select exists (select 1 from channel where realm_id = $1 and folder_id = $2) as found',
  { found: z.boolean() },
);

/** Whether any channel, archived or not, is in the folder. */
export async function hasChannels(sql: Sql, realmId: number, folderId: number): Promise<boolean> {
  return onlyRow(await sql.query(HAS_CHANNELS, [realmId, folderId])).found;
}

const HOLD_OPEN = statement(
  'select id from channel_folder where realm_id = $1 and id = $2 and not is_archived for key share',
  { id: z.number() },
);

/** Whether channels may be put into the folder: it exists and is not archived. Locks it until the transaction ends. */
export async function holdOpenChannelFolder(sql: Sql, realmId: number, folderId: number): Promise<boolean> {
  const rows = await sql.query(HOLD_OPEN, [realmId, folderId]);
  return rows.length > 0;
}

import type { Sql } from '@parley/shared/db';
import type { DefaultChannelGroup } from '@parley/shared/proto';

/** The organization's sets of channels, by name. */
export function listDefaultChannelGroups(sql: Sql, realmId: number): Promise<DefaultChannelGroup[]> {
  return sql.query(
    `select g.id, g.name, g.description, coalesce((
       select array_agg(c.channel_id order by c.channel_id) from default_channel_group_channel c
       where c.realm_id = g.realm_id and c.group_id = g.id), '{}') as "channelIds"
     from default_channel_group g where g.realm_id = $1 order by g.name`,
    [realmId],
  );
}

export async function insertDefaultChannelGroup(
  sql: Sql,
  realmId: number,
  { name, description }: Pick<DefaultChannelGroup, 'name' | 'description'>,
): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    'insert into default_channel_group (realm_id, name, description) values ($1, $2, $3) returning id',
    [realmId, name, description],
  );
  return (row as { id: number }).id;
}

export async function storeDefaultChannelGroup(
  sql: Sql,
  realmId: number,
  { id, name, description }: Pick<DefaultChannelGroup, 'id' | 'name' | 'description'>,
): Promise<void> {
  await sql.query('update default_channel_group set name = $3, description = $4 where realm_id = $1 and id = $2', [
    realmId,
    id,
    name,
    description,
  ]);
}

export async function deleteDefaultChannelGroup(sql: Sql, realmId: number, id: number): Promise<void> {
  await sql.query('delete from default_channel_group_channel where realm_id = $1 and group_id = $2', [realmId, id]);
  await sql.query('delete from default_channel_group where realm_id = $1 and id = $2', [realmId, id]);
}

export async function insertGroupChannels(
  sql: Sql,
  realmId: number,
  groupId: number,
  channelIds: readonly number[],
): Promise<void> {
  await sql.query(
    `insert into default_channel_group_channel (realm_id, group_id, channel_id) select $1, $2, unnest($3::bigint[])`,
    [realmId, groupId, channelIds],
  );
}

export async function deleteGroupChannels(
  sql: Sql,
  realmId: number,
  groupId: number,
  channelIds: readonly number[],
): Promise<void> {
  await sql.query(
    'delete from default_channel_group_channel where realm_id = $1 and group_id = $2 and channel_id = any($3)',
    [realmId, groupId, channelIds],
  );
}

/** Takes the channel out of every set; the answer: whether it was in any. */
export async function deleteChannelFromGroups(sql: Sql, realmId: number, channelId: number): Promise<boolean> {
  const rows = await sql.query(
    'delete from default_channel_group_channel where realm_id = $1 and channel_id = $2 returning group_id',
    [realmId, channelId],
  );
  return rows.length > 0;
}

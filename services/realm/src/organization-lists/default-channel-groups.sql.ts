import { onlyRow, type Sql, statement } from '@parley/shared/db';
import { type DefaultChannelGroup, messageShape } from '@parley/shared/proto';
import { z } from 'zod';

/** SQL: an organization's sets of channels, by name, as a JSON array. The argument is SQL. */
export function defaultChannelGroupsOf(realmId: string): string {
  return `(select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'description', g.description,
      'channelIds', coalesce((select json_agg(c.channel_id order by c.channel_id) from default_channel_group_channel c
        where c.realm_id = g.realm_id and c.group_id = g.id), '[]')) order by g.name), '[]')
    from default_channel_group g where g.realm_id = ${realmId})`;
}

const LIST = statement(`select ${defaultChannelGroupsOf('$1')} as groups`, {
  groups: z.array(messageShape<DefaultChannelGroup>('realm', 'DefaultChannelGroup')),
});

/** The organization's sets of channels, by name. */
export async function listDefaultChannelGroups(sql: Sql, realmId: number): Promise<DefaultChannelGroup[]> {
  return onlyRow(await sql.query(LIST, [realmId])).groups;
}

const DELETE_CHANNEL = statement(
  'delete from default_channel_group_channel where realm_id = $1 and channel_id = $2 returning group_id as "groupId"',
  { groupId: z.number() },
);

/** Removes the channel from every set; returns whether it was in any. */
export async function deleteChannelFromGroups(sql: Sql, realmId: number, channelId: number): Promise<boolean> {
  const rows = await sql.query(DELETE_CHANNEL, [realmId, channelId]);
  return rows.length > 0;
}

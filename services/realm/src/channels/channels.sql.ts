import type { Sql } from '@parley/shared/db';
import type { Channel } from '@parley/shared/proto';
import { CHANNEL_JSON } from './channel-json.sql';

/**
 * The channels of those names, in the order of ids, held against every other change until the transaction ends. Their sets of
 * subscribers stand still, too, for the statements that follow: whoever changes one holds the channel's row.
 */
export async function lockChannels(sql: Sql, realmId: number, nameKeys: readonly string[]): Promise<Channel[]> {
  const rows = await sql.query<{ channel: Channel }>(
    `select ${CHANNEL_JSON} as channel from channel c
     where c.realm_id = $1 and c.name_key = any($2) order by c.id for no key update`,
    [realmId, nameKeys],
  );
  return rows.map(({ channel }) => channel);
}

/** Ids of the channels that new people are subscribed to, held like those of lockChannels(). */
export async function lockDefaultChannels(sql: Sql, realmId: number): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `select id from channel where realm_id = $1 and is_default and not is_archived order by id for no key update`,
    [realmId],
  );
  return rows.map(({ id }) => id);
}

export interface NewChannel {
  name: string;
  nameKey: string;
  description: string;
  renderedDescription: string;
}

export interface NewChannelKind {
  creatorId: number | null;
  isPrivate: boolean;
  isHistoryPublic: boolean;
  isDefault: boolean;
  topicsPolicy: string;
  createdAtMs: number;
}

export const CHANNEL_NAME_IS_UNIQUE = 'channel_name_is_unique';

/** Makes channels that everyone may post in, all of one kind; violates CHANNEL_NAME_IS_UNIQUE when a name is taken. */
export async function insertChannels(
  sql: Sql,
  realmId: number,
  channels: readonly NewChannel[],
  kind: NewChannelKind,
): Promise<{ id: number; name: string }[]> {
  // Sorted, so that two transactions that make the same channels wait for one another in the same order.
  return sql.query(
    `insert into channel (realm_id, name, name_key, description, rendered_description, creator_id, is_private,
       is_history_public, is_default, topics_policy, created_at, can_send_message_group_id)
     select $1, name, name_key, description, rendered_description, $6, $7, $8, $9, $10, to_timestamp($11 / 1000.0),
       (select g.id from user_group g where g.realm_id = $1 and g.name = 'role:everyone')
     from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as new (name, name_key, description, rendered_description)
     order by name_key
     returning id, name`,
    [
      realmId,
      channels.map(({ name }) => name),
      channels.map(({ nameKey }) => nameKey),
      channels.map(({ description }) => description),
      channels.map(({ renderedDescription }) => renderedDescription),
      kind.creatorId,
      kind.isPrivate,
      kind.isHistoryPublic,
      kind.isDefault,
      kind.topicsPolicy,
      kind.createdAtMs,
    ],
  );
}

import type { Sql } from '@parley/shared/db';

export interface DefaultCandidate {
  isPrivate: boolean;
  isArchived: boolean;
  isDefault: boolean;
}

/** What decides whether the channel may be a default one, held against changes; null when the organization has none of that id. */
export async function lockDefaultCandidate(
  sql: Sql,
  realmId: number,
  channelId: number,
): Promise<DefaultCandidate | null> {
  const [channel] = await sql.query<DefaultCandidate>(
    `select is_private as "isPrivate", is_archived as "isArchived", is_default as "isDefault"
     from channel where realm_id = $1 and id = $2 for no key update`,
    [realmId, channelId],
  );
  return channel ?? null;
}

export async function setIsDefault(sql: Sql, realmId: number, channelId: number, isDefault: boolean): Promise<void> {
  await sql.query('update channel set is_default = $3 where realm_id = $1 and id = $2', [
    realmId,
    channelId,
    isDefault,
  ]);
}

/** Ids of the channels that new people are subscribed to. */
export async function listDefaultChannelIds(sql: Sql, realmId: number): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    'select id from channel where realm_id = $1 and is_default and not is_archived order by id',
    [realmId],
  );
  return rows.map(({ id }) => id);
}

import { onlyRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

const LOCK_CANDIDATE = statement(
  `select is_private as "isPrivate", is_archived as "isArchived", is_default as "isDefault"
   from channel where realm_id = $1 and id = $2 for no key update`,
  { isPrivate: z.boolean(), isArchived: z.boolean(), isDefault: z.boolean() },
);

export type DefaultCandidate = RowOf<typeof LOCK_CANDIDATE>;

/**
 * The facts that decide whether the channel may be a default one, with its row locked; null when the organization has none of that id.
 */
export async function lockDefaultCandidate(
  sql: Sql,
  realmId: number,
  channelId: number,
): Promise<DefaultCandidate | null> {
  const [channel] = await sql.query(LOCK_CANDIDATE, [realmId, channelId]);
  return channel ?? null;
}

const SET_IS_DEFAULT = statement('update channel set is_default = $3 where realm_id = $1 and id = $2');

/** Also called within changes of channels. */
export async function setIsDefault(sql: Sql, realmId: number, channelId: number, isDefault: boolean): Promise<void> {
  await sql.query(SET_IS_DEFAULT, [realmId, channelId, isDefault]);
}

/** SQL: the ids of an organization's default channels as a JSON array. The argument is SQL. */
export function defaultChannelIdsOf(realmId: string): string {
  return `(select coalesce(json_agg(c.id order by c.id), '[]') from channel c
    where c.realm_id = ${realmId} and c.is_default and not c.is_archived)`;
}

const LIST_IDS = statement(`select ${defaultChannelIdsOf('$1')} as ids`, { ids: z.array(z.number()) });

/** Ids of the channels that new users are subscribed to. */
export async function listDefaultChannelIds(sql: Sql, realmId: number): Promise<number[]> {
  return onlyRow(await sql.query(LIST_IDS, [realmId])).ids;
}

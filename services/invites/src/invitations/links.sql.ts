import type { Sql } from '@parley/shared/db';
import type { Grant } from './invitations.sql';

/** Makes a reusable link; returns its id. */
export async function insertLink(sql: Sql, grant: Grant): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `insert into invitation_link (realm_id, referrer_id, invited_as, channel_ids, group_ids, includes_default_channels,
       welcome_text, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8 / 1000.0),
       to_timestamp($8 / 1000.0) + $9::bigint * interval '1 minute')
     returning id`,
    [
      grant.realmId,
      grant.referrerId,
      grant.invitedAs,
      grant.channelIds,
      grant.groupIds,
      grant.includesDefaultChannels,
      grant.welcomeText,
      grant.createdAtMs,
      grant.validMinutes,
    ],
  );
  return (row as { id: number }).id;
}

export interface Link {
  id: number;
  referrerId: number;
  invitedAs: number;
  createdAtMs: number;
  expiresAtMs: number | null;
  isRevoked: boolean;
}

/** Not expired at `$2`, in milliseconds. */
const SELECT_UNEXPIRED = `select id, referrer_id as "referrerId", invited_as as "invitedAs", created_at as "createdAtMs",
    expires_at as "expiresAtMs", is_revoked as "isRevoked"
  from invitation_link where realm_id = $1 and (expires_at is null or expires_at > to_timestamp($2 / 1000.0))`;

/** Those that can be used, by id; of everybody where the referrer is null. */
export function listOpenLinks(sql: Sql, realmId: number, nowMs: number, referrerId: number | null): Promise<Link[]> {
  return sql.query(`${SELECT_UNEXPIRED} and not is_revoked and ($3::bigint is null or referrer_id = $3) order by id`, [
    realmId,
    nowMs,
    referrerId,
  ]);
}

/** The link, revoked or not; null when there is none of that id, or it has expired. */
export async function findLink(sql: Sql, realmId: number, nowMs: number, id: number): Promise<Link | null> {
  const [link] = await sql.query<Link>(`${SELECT_UNEXPIRED} and id = $3`, [realmId, nowMs, id]);
  return link ?? null;
}

/** Revokes a link. False when it was revoked before. */
export async function revokeLink(sql: Sql, realmId: number, id: number): Promise<boolean> {
  const rows = await sql.query(
    'update invitation_link set is_revoked = true where realm_id = $1 and id = $2 and not is_revoked returning id',
    [realmId, id],
  );
  return rows.length > 0;
}

/** Revokes the links of these users, or where that is null of all; returns the ids. */
export async function revokeLinksOf(
  sql: Sql,
  realmId: number,
  referrerIds: readonly number[] | null,
): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `update invitation_link set is_revoked = true
     where realm_id = $1 and not is_revoked and ($2::bigint[] is null or referrer_id = any($2)) returning id`,
    [realmId, referrerIds],
  );
  return rows.map(({ id }) => id);
}

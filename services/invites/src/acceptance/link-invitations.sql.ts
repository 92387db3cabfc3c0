import type { Sql } from '@parley/shared/db';

/** A reusable link that can be used. */
export interface OpenLink {
  id: number;
  referrerId: number;
  invitedAs: number;
  expiresAtMs: number | null;
}

/** The link, if it can be used at that time. */
export async function findOpenLink(sql: Sql, realmId: number, id: number, nowMs: number): Promise<OpenLink | null> {
  const [link] = await sql.query<OpenLink>(
    `select id, referrer_id as "referrerId", invited_as as "invitedAs", expires_at as "expiresAtMs" from invitation_link
     where realm_id = $1 and id = $2 and not is_revoked and (expires_at is null or expires_at > to_timestamp($3 / 1000.0))`,
    [realmId, id, nowMs],
  );
  return link ?? null;
}

/**
 * An invitation by a link, for an address that is to be proved: what the link gives, for a day, and no longer than the link holds.
 * The same one again for an address that is waiting already. Null: the link cannot be used any more.
 */
export async function inviteByLink(
  sql: Sql,
  realmId: number,
  linkId: number,
  { email, nowMs, validMs }: { email: string; nowMs: number; validMs: number },
): Promise<number | null> {
  const [invitation] = await sql.query<{ id: number }>(
    `insert into invitation as i (realm_id, email, email_key, referrer_id, link_id, invited_as, channel_ids, group_ids,
       includes_default_channels, notifies_referrer, welcome_text, created_at, expires_at)
     select realm_id, $3, lower($3), referrer_id, id, invited_as, channel_ids, group_ids, includes_default_channels, false,
       welcome_text, to_timestamp($4 / 1000.0), least(expires_at, to_timestamp(($4 + $5) / 1000.0))
     from invitation_link
     where realm_id = $1 and id = $2 and not is_revoked and (expires_at is null or expires_at > to_timestamp($4 / 1000.0))
     on conflict (realm_id, link_id, email_key) where link_id is not null and state in ('open', 'accepting')
     do update set expires_at = excluded.expires_at
     returning i.id`,
    [realmId, linkId, email, nowMs, validMs],
  );
  return invitation?.id ?? null;
}

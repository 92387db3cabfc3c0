import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

// NOTE: tokens are looked up by hash, so the look-up time reveals nothing about them.
const FIND = statement(
  `select t.realm_id as "realmId", t.id as "tokenId" from scim_token t join realm r on r.id = t.realm_id
   where (t.token_hash = $2 or (t.former_hash = $2 and t.former_ends_at > to_timestamp($3 / 1000.0)))
     and t.revoked_at is null and r.subdomain = $1 and not r.is_deactivated`,
  { realmId: z.number(), tokenId: z.number() },
);

/** The valid token of that hash in the organization. */
export async function findToken(
  sql: Sql,
  { subdomain, tokenHash }: { subdomain: string; tokenHash: Uint8Array },
  nowMs: number,
): Promise<{ realmId: number; tokenId: number } | null> {
  const [found] = await sql.query(FIND, [subdomain, tokenHash, nowMs]);
  return found ?? null;
}

import { type RowOf, type Sql, statement } from '@parley/shared/db';
import type { GetPushFactsRequest } from '@parley/shared/proto';
import { z } from 'zod';
import { isGoodKey } from '../api-keys/api-keys.sql';
import { CHOSEN_REALM_SETTINGS, CHOSEN_SETTINGS } from '../base/chosen-settings';

const FIND = statement(
  `select coalesce(s.chosen, '{}') as chosen, r.settings as "realmSettings", r.name as "realmName", r.subdomain
   from user_account u
   join realm r on r.id = u.realm_id and not r.is_deactivated
   left join user_settings s on s.realm_id = u.realm_id and s.user_id = u.id
   where u.realm_id = $1 and u.id = $2 and u.is_active and ${isGoodKey('u.realm_id', 'u.id', '$3')}`,
  { chosen: CHOSEN_SETTINGS, realmSettings: CHOSEN_REALM_SETTINGS, realmName: z.string(), subdomain: z.string() },
);

/** Null: the account, the organization or the credential has ended. */
export async function findPushFacts(
  sql: Sql,
  { realmId, userId, apiKeyId }: GetPushFactsRequest,
): Promise<RowOf<typeof FIND> | null> {
  const [row] = await sql.query(FIND, [realmId, userId, apiKeyId]);
  return row ?? null;
}

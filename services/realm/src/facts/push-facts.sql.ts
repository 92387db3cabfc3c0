import { type RowOf, type Sql, statement } from '@parley/shared/db';
import type { GetPushFactsRequest } from '@parley/shared/proto';
import { z } from 'zod';
import { isGoodKey } from '../api-keys/api-keys.sql';
import { CHOSEN_REALM_SETTINGS, CHOSEN_SETTINGS } from '../base/chosen-settings';

const FIND = statement(
  `select coalesce(s.chosen, '{}') as chosen, r.settings as "realmSettings", r.name as "realmName", r.subdomain, asked.n
   from unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality as asked (realm_id, user_id, api_key_id, n)
   join user_account u on u.realm_id = asked.realm_id and u.id = asked.user_id and u.is_active
   join realm r on r.id = u.realm_id and not r.is_deactivated
   left join user_settings s on s.realm_id = u.realm_id and s.user_id = u.id
   where ${isGoodKey('u.realm_id', 'u.id', 'asked.api_key_id')}`,
  {
    chosen: CHOSEN_SETTINGS,
    realmSettings: CHOSEN_REALM_SETTINGS,
    realmName: z.string(),
    subdomain: z.string(),
    /** Which request it answers, from 1. */
    n: z.number(),
  },
);

export type PushFactsRow = RowOf<typeof FIND>;

/** For each request, in order; null: the account, the organization or the credential has ended. */
export async function findPushFacts(
  sql: Sql,
  requests: readonly GetPushFactsRequest[],
): Promise<(PushFactsRow | null)[]> {
  const columns = (['realmId', 'userId', 'apiKeyId'] as const).map((name) => requests.map((request) => request[name]));
  const rows = new Map((await sql.query(FIND, columns)).map((row) => [row.n, row]));
  return requests.map((_request, index) => rows.get(index + 1) ?? null);
}

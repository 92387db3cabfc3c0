import { type RowOf, type Sql, statement } from '@parley/shared/db';
import { messageShape, type ReceivedVersions } from '@parley/shared/proto';
import { z } from 'zod';
import { PROFILE_VALUE, profileOf } from '../accounts/profiles.sql';
import { USER, USER_JSON } from '../accounts/users.sql';
import { isGoodKey } from '../api-keys/api-keys.sql';

const LOAD = statement(
  `select ${USER_JSON} as user, ${profileOf('$1', '$2')} as profile, (
     select coalesce(json_agg(json_strip_nulls(json_build_object(
       'channelId', i.channel_id, 'fromVersion', i.from_version, 'toVersion', i.to_version))), '[]')
     from subscription_interval i where i.realm_id = $1 and i.user_id = $2
   ) as received, r.subdomain, r.is_deactivated as "isRealmDeactivated", ${isGoodKey('$1', '$2', '$3')} as "isKeyGood"
   from user_account u join realm r on r.id = u.realm_id
   where u.realm_id = $1 and u.id = $2`,
  {
    user: USER,
    // Null: it is empty.
    profile: z.array(PROFILE_VALUE).nullable(),
    received: z.array(messageShape<ReceivedVersions>('realm', 'ReceivedVersions')),
    subdomain: z.string(),
    isRealmDeactivated: z.boolean(),
    // The given key is the user's and not revoked.
    isKeyGood: z.boolean(),
  },
);

/** Null when the organization has no such user. */
export async function loadOwnAccount(
  sql: Sql,
  { realmId, userId, apiKeyId }: { realmId: number; userId: number; apiKeyId: number | null },
): Promise<RowOf<typeof LOAD> | null> {
  const [row] = await sql.query(LOAD, [realmId, userId, apiKeyId]);
  return row ?? null;
}

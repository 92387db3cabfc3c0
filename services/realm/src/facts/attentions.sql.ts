import { type Sql, statement } from '@parley/shared/db';
import { type AlertWordSince, type Attention, messageShape, type UserOfRealm } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { z } from 'zod';
import { isKnownTo, isRestricted } from '../accounts/accessible-users.sql';

const IS_RESTRICTED = `coalesce(${isRestricted('asked.realm_id', 'asked.user_id')}, false)`;

const LOAD = statement(
  `select (
     select coalesce(json_agg(json_build_object(
       'word', w.word, 'addedAtMs', (extract(epoch from w.added_at) * 1000)::bigint) order by w.position), '[]')
     from alert_word w where w.realm_id = asked.realm_id and w.user_id = asked.user_id
   ) as "alertWords", (
     select coalesce(json_agg(m.muted_user_id order by m.muted_user_id), '[]')
     from muted_user m where m.realm_id = asked.realm_id and m.user_id = asked.user_id
   ) as "mutedUserIds", coalesce((
     select u.role = ${ROLES.guest} from user_account u where u.realm_id = asked.realm_id and u.id = asked.user_id
   ), false) as "isGuest", ${IS_RESTRICTED} as "isRestricted", case when ${IS_RESTRICTED} then (
     select json_agg(u.id order by u.id) from user_account u
     where u.realm_id = asked.realm_id and ${isKnownTo('asked.realm_id', 'asked.user_id')}
   ) else '[]' end as "knownUserIds"
   from unnest($1::bigint[], $2::bigint[]) with ordinality as asked (realm_id, user_id, n) order by asked.n`,
  {
    alertWords: z.array(messageShape<AlertWordSince>('realm', 'AlertWordSince')),
    mutedUserIds: z.array(z.number()),
    isGuest: z.boolean(),
    isRestricted: z.boolean(),
    knownUserIds: z.array(z.number()),
  },
);

/** One row per user, in order. */
export function loadAttentions(sql: Sql, users: readonly UserOfRealm[]): Promise<Attention[]> {
  return sql.query(LOAD, [users.map(({ realmId }) => realmId), users.map(({ userId }) => userId)]);
}

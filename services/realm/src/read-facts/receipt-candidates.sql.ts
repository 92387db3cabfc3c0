import type { Sql } from '@parley/shared/db';
import type { ReceiptCandidate, ReceiptQuery } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';

/** Who lost the message when it was moved: whoever was not in the private channel then, and guests who are not in the public one. */
const HAS_KEPT_IT = `($8::bigint is null
      or exists (select from subscription_interval i where i.realm_id = $1 and i.channel_id = $7 and i.user_id = u.id
        and i.from_version <= $8 and (i.to_version is null or i.to_version > $8))
      or exists (select from channel c where c.realm_id = $1 and c.id = $7 and not c.is_private
        and (c.is_web_public or u.role <> ${ROLES.guest}))
      or u.id = any($6::bigint[]))`;

const LIST = `with candidate (user_id, from_version) as (
    select i.user_id, i.from_version from subscription_interval i
    where i.realm_id = $1 and i.channel_id = $4 and i.from_version <= $5 and (i.to_version is null or i.to_version > $5)
    union
    select named.user_id, null from unnest($6::bigint[]) as named (user_id)
    where not exists (
      select from subscription_interval i where i.realm_id = $1 and i.channel_id = $4 and i.user_id = named.user_id
        and i.from_version <= $5 and (i.to_version is null or i.to_version > $5))
  )
  select u.id as "userId",
    exists (select from muted_user m where m.realm_id = $1 and m.user_id = u.id and m.muted_user_id = $3)
      or ($7::bigint is not null and not exists (
        select from subscription s join channel c on c.realm_id = s.realm_id and c.id = s.channel_id
        where s.realm_id = $1 and s.channel_id = $7 and s.user_id = u.id and s.is_active and not c.is_archived)) as "isRead",
    $4::bigint is null or exists (
      select from subscription_interval i where i.realm_id = $1 and i.channel_id = $4 and i.user_id = u.id
        and i.from_version = candidate.from_version and i.to_version is null) as "keepsReceiving"
  from candidate
  join user_account u on u.realm_id = $1 and u.id = candidate.user_id
  left join user_settings chosen on chosen.realm_id = $1 and chosen.user_id = u.id
  where u.is_active and u.id <> $3 and coalesce((chosen.chosen ->> 'send_read_receipts')::boolean, true) and ${HAS_KEPT_IT}
    and not exists (
      select from muted_user m where m.realm_id = $1
        and (m.user_id = $2 and m.muted_user_id = u.id or m.user_id = u.id and m.muted_user_id = $2))
  order by u.id`;

/** Of those who may have read a message, who shares it with the reader. */
export function listReceiptCandidates(
  sql: Sql,
  realmId: number,
  readerId: number,
  { senderId, channelId, version, userIds, currentChannelId, movedVersion }: ReceiptQuery,
): Promise<ReceiptCandidate[]> {
  const place = [channelId, version, userIds, currentChannelId, movedVersion];
  return sql.query(LIST, [realmId, readerId, senderId, ...place]);
}

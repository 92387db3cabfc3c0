import { type Sql, statement } from '@parley/shared/db';
import type {
  AlertWordSince,
  ChannelReadFacts,
  ChannelScope,
  Organization,
  ReceiptCandidate,
  ReceiptQuery,
  User,
  VersionInterval,
} from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { USER_JSON } from '../accounts/users.sql';
import { joinedBy } from '../actors/actors.sql';
import { possibleIds } from '../base/possible-values';
import {
  type ChannelKind,
  CREATOR_SETTING,
  METADATA_SETTINGS,
  type MetadataSetting,
} from '../channel-access/permissions';
import { REALM_JSON } from '../organization/realms.sql';

/** A channel of the organization and the reader's share in it; whether it is for their eyes is decided elsewhere. */
export interface ChannelRow
  extends ChannelKind,
    Pick<ChannelReadFacts, 'channelId' | 'name' | 'isArchived' | 'isSubscribed' | 'isMuted' | 'subscriptionVersion'> {
  /** Absent: was never subscribed. */
  intervals?: VersionInterval[];
  /** Those of METADATA_SETTINGS whose groups the reader is in; absent: none. */
  holds?: MetadataSetting[];
}

interface ReadFactsRow {
  realm: Organization;
  reader: User;
  channels: ChannelRow[];
  /** JSON; null: nothing was ever chosen. */
  readerSettings: string | null;
  mutedUserIds: number[];
  alertWords: AlertWordSince[];
}

// The reader's own settings are few: from their groups outwards it is a short way to them.
const heldWhere = (isWanted: (channelId: string) => string) => `held (channel_id, names) as (
    select given.channel_id, json_agg(distinct given.name) from (
      select s.channel_id, s.name from joined join channel_group_setting s
        on s.realm_id = $1 and s.group_id = joined.group_id and s.name in (${METADATA_SETTINGS.map((name) => `'${name}'`)})
        and ${isWanted('s.channel_id')}
      union all
      select c.id, '${CREATOR_SETTING}' from channel c
      where c.realm_id = $1 and c.creator_id = $2 and ${isWanted('c.id')} and not exists (
        select from channel_group_setting s
        where s.realm_id = $1 and s.channel_id = c.id and s.name = '${CREATOR_SETTING}')
    ) given group by given.channel_id)`;

const loadWhere = (isWanted: (channelId: string) => string) =>
  `with recursive ${joinedBy('$1', '$2', '$3::bigint')}, ${heldWhere(isWanted)}
   select ${REALM_JSON} as realm, ${USER_JSON} as reader, coalesce((
     select json_agg(json_strip_nulls(json_build_object(
       'channelId', c.id, 'name', c.name, 'isPrivate', c.is_private, 'isWebPublic', c.is_web_public,
       'isHistoryPublic', c.is_history_public, 'isArchived', c.is_archived, 'holds', held.names,
       'subscriptionVersion', c.subscription_version,
       'isSubscribed', coalesce(s.is_active, false), 'isMuted', coalesce(s.is_muted, false), 'intervals', (
         select json_agg(json_build_object('fromVersion', i.from_version, 'toVersion', i.to_version) order by i.from_version)
         from subscription_interval i
         where i.realm_id = u.realm_id and i.channel_id = s.channel_id and i.user_id = u.id))) order by c.id)
     from channel c
     left join subscription s on s.realm_id = c.realm_id and s.channel_id = c.id and s.user_id = u.id
     left join held on held.channel_id = c.id
     where c.realm_id = u.realm_id and ${isWanted('c.id')}
   ), '[]') as channels, (
     select chosen.chosen::text from user_settings chosen where chosen.realm_id = u.realm_id and chosen.user_id = u.id
   ) as "readerSettings", (
     select coalesce(json_agg(m.muted_user_id), '[]') from muted_user m where m.realm_id = u.realm_id and m.user_id = u.id
   ) as "mutedUserIds", (
     select coalesce(json_agg(json_build_object(
       'word', w.word, 'addedAtMs', (extract(epoch from w.added_at) * 1000)::bigint) order by w.position), '[]')
     from alert_word w where w.realm_id = u.realm_id and w.user_id = u.id
   ) as "alertWords"
   from user_account u join realm r on r.id = u.realm_id
   where u.realm_id = $1 and u.id = $2`;

const LOAD_WITH_ALL_CHANNELS = statement(
  'load-read-facts',
  loadWhere(() => 'true'),
);
const LOAD_WITH_CHANNELS = statement(
  'load-read-facts-of-channels',
  loadWhere(
    (channelId) => `${channelId} = any($4::bigint[] || array(
      select own.channel_id from subscription own where own.realm_id = $1 and own.user_id = $2 and $5::boolean))`,
  ),
);

/** Null when the organization has no such user. Without a scope: of all of its channels. */
export async function loadReadFacts(
  sql: Sql,
  realmId: number,
  userId: number,
  nowMs: number,
  scope?: ChannelScope | null,
): Promise<ReadFactsRow | null> {
  const [row] = scope
    ? await sql.query<ReadFactsRow>(LOAD_WITH_CHANNELS, [
        realmId,
        userId,
        nowMs,
        possibleIds(scope.ids),
        scope.withOwn === true,
      ])
    : await sql.query<ReadFactsRow>(LOAD_WITH_ALL_CHANNELS, [realmId, userId, nowMs]);
  return row ?? null;
}

/** Users who lost the message when it was moved: those outside of the private channel then, and guests outside of the public one. */
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

type WebPublicChannel = Pick<ChannelReadFacts, 'channelId' | 'name' | 'isArchived' | 'subscriptionVersion'>;

export function listWebPublicChannels(sql: Sql, realmId: number): Promise<WebPublicChannel[]> {
  return sql.query(
    `select id as "channelId", name, is_archived as "isArchived", subscription_version as "subscriptionVersion"
     from channel where realm_id = $1 and is_web_public order by id`,
    [realmId],
  );
}

import { type Sql, statement } from '@parley/shared/db';
import type {
  AlertWordSince,
  ChannelReadFacts,
  ChannelScope,
  Organization,
  User,
  VersionInterval,
} from '@parley/shared/proto';
import { joinedBy } from '../actors/joined-groups.sql';
import { type ChannelKind, CREATOR_SETTING, METADATA_SETTINGS, type MetadataSetting } from '../channels/permissions';
import { possibleIds } from '../possible-values';
import { REALM_JSON } from '../realms/realm-json.sql';
import { USER_JSON } from '../users/user-json.sql';

/** A channel of the organization and the reader's share in it; whether it is for their eyes is decided elsewhere. */
export interface ChannelRow
  extends ChannelKind,
    Pick<ChannelReadFacts, 'channelId' | 'name' | 'isArchived' | 'isSubscribed' | 'isMuted' | 'subscriptionVersion'> {
  /** Absent: was never subscribed. */
  intervals?: VersionInterval[];
  /** Those of METADATA_SETTINGS whose groups the reader is in; absent: none. */
  holds?: MetadataSetting[];
}

export interface ReadFactsRow {
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

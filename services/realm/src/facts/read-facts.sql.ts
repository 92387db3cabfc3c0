import { composed, hasRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import {
  type AlertWordSince,
  type ChannelScope,
  messageShape,
  type ReaderChannelIds,
  type ReceiptCandidate,
  type ReceiptQuery,
  type VersionInterval,
} from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { z } from 'zod';
import { areGuestsRestricted } from '../accounts/accessible-users.sql';
import { USER, USER_JSON } from '../accounts/users.sql';
import { joinedBy } from '../actors/actors.sql';
import { HOLDER_NOW, holderNowOf, isGoodKey } from '../api-keys/api-keys.sql';
import { possibleIds } from '../base/possible-values';
import { CREATOR_SETTING, METADATA_SETTINGS } from '../channel-access/permissions';
import { changesOf, changesOfReader } from '../list-changes/list-changes.sql';
import { standingOf } from '../membership/standing.sql';
import { SYSTEM_GROUP_VALUES } from '../membership/system-group-values.sql';
import { REALM, REALM_JSON } from '../organization/realms.sql';

/** A channel and the reader's subscription to it; the caller checks whether the reader may see it. */
export const CHANNEL = z.strictObject({
  channelId: z.number(),
  name: z.string(),
  isPrivate: z.boolean(),
  isWebPublic: z.boolean(),
  isHistoryPublic: z.boolean(),
  isArchived: z.boolean(),
  isSubscribed: z.boolean(),
  isMuted: z.boolean(),
  subscriptionVersion: z.number(),
  // Null or absent: never subscribed.
  intervals: z.array(messageShape<VersionInterval>('realm', 'VersionInterval')).nullish(),
  // The METADATA_SETTINGS whose groups include the reader; null or absent: none.
  holds: z.array(z.enum(METADATA_SETTINGS)).nullish(),
});

export type ChannelRow = z.infer<typeof CHANNEL>;

const METADATA_NAMES = METADATA_SETTINGS.map((name) => `'${name}'`).join(', ');

// Starts from the reader's groups, as few settings refer to them.
const readerHolds = (isWanted: (channelId: string) => string) => `held (channel_id, names) as (
    select given.channel_id, json_agg(distinct given.name) from (
      select s.channel_id, s.name from joined join channel_group_setting s
        on s.realm_id = $1 and s.group_id = joined.group_id and s.name in (${METADATA_NAMES})
        and ${isWanted('s.channel_id')}
      union all
      select c.id, '${CREATOR_SETTING}' from channel c
      where c.realm_id = $1 and c.creator_id = $2 and ${isWanted('c.id')} and not exists (
        select from channel_group_setting s
        where s.realm_id = $1 and s.channel_id = c.id and s.name = '${CREATOR_SETTING}')
    ) given group by given.channel_id)`;

/** SQL for the ChannelRow of a user `u`, a channel `c` and the user's subscription `s`, as JSON; `holds` is SQL. */
const channelRow = (holds: string) => `json_build_object(
       'channelId', c.id, 'name', c.name, 'isPrivate', c.is_private, 'isWebPublic', c.is_web_public,
       'isHistoryPublic', c.is_history_public, 'isArchived', c.is_archived, 'holds', ${holds},
       'subscriptionVersion', c.subscription_version,
       'isSubscribed', coalesce(s.is_active, false), 'isMuted', coalesce(s.is_muted, false), 'intervals', (
         select json_agg(case when i.to_version is null then json_build_object('fromVersion', i.from_version)
           else json_build_object('fromVersion', i.from_version, 'toVersion', i.to_version) end order by i.from_version)
         from subscription_interval i
         where i.realm_id = u.realm_id and i.channel_id = s.channel_id and i.user_id = u.id))`;

/** SQL for the ChannelRows of a user `u`, as JSON; `holds` are those of readerHolds(), or null. */
export const channelsWhere = (isWanted: (channelId: string) => string, hasHolds = true) => `coalesce((
     select json_agg(${channelRow(hasHolds ? 'held.names' : 'null')} order by c.id)
     from channel c
     left join subscription s on s.realm_id = c.realm_id and s.channel_id = c.id and s.user_id = u.id
     ${hasHolds ? 'left join held on held.channel_id = c.id' : ''}
     where c.realm_id = u.realm_id and ${isWanted('c.id')}
   ), '[]')`;

/** SQL: the version of the reader `u`'s accounts, see UserCards; null when they may not see all users. */
const usersVersionOf = (realmId: string) =>
  `case when u.role <> ${ROLES.guest} or not ${areGuestsRestricted(realmId)} then ${changesOf('users', realmId)}::text end`;

/** SQL: the version of the facts about the reader `u`. Time changes it, too: a waiting period ends. */
const versionOf = (realmId: string, nowMs: string) =>
  `concat_ws('/', ${changesOf('reading', realmId)}, ${changesOfReader(realmId, 'u.id')}, ${standingOf('u', realmId, nowMs)})`;

/** SQL: whether neither an account's age nor the end of its key changes anything before `thenMs`. */
const lastsUntil = (realmId: string, keyId: string, nowMs: string, thenMs: string) =>
  `(${standingOf('u', realmId, nowMs)} = ${standingOf('u', realmId, thenMs)}
    and not ${hasRow(`from api_key k where k.realm_id = ${realmId} and k.id = ${keyId} and k.expires_at <= now() + (${thenMs} - ${nowMs}) * interval '1 ms'`)})`;

const loadWhere = (isWanted: (channelId: string) => string) =>
  `with recursive ${joinedBy('$1', '$2', '$3::bigint')}, ${readerHolds(isWanted)}
   select ${REALM_JSON} as realm, ${USER_JSON} as reader, ${channelsWhere(isWanted)} as channels, (
     select chosen.chosen::text from user_settings chosen where chosen.realm_id = u.realm_id and chosen.user_id = u.id
   ) as "readerSettings", (
     select coalesce(json_agg(m.muted_user_id), '[]') from muted_user m where m.realm_id = u.realm_id and m.user_id = u.id
   ) as "mutedUserIds", (
     select coalesce(json_agg(json_build_object(
       'word', w.word, 'addedAtMs', (extract(epoch from w.added_at) * 1000)::bigint) order by w.position), '[]')
     from alert_word w where w.realm_id = u.realm_id and w.user_id = u.id
   ) as "alertWords", ${usersVersionOf('$1')} as "usersVersion", ${versionOf('$1', '$3::bigint')} as version,
     ${isGoodKey('$1', '$2', '$4')} as "isKeyGood"
   from user_account u join realm r on r.id = u.realm_id
   where u.realm_id = $1 and u.id = $2`;

const FACTS = {
  realm: REALM,
  reader: USER,
  channels: z.array(CHANNEL),
  // JSON; null: no explicit settings.
  readerSettings: z.string().nullable(),
  mutedUserIds: z.array(z.number()),
  alertWords: z.array(messageShape<AlertWordSince>('realm', 'AlertWordSince')),
  // Null: the reader may not see all users.
  usersVersion: z.string().nullable(),
  version: z.string(),
  // The given key is the reader's and not revoked.
  isKeyGood: z.boolean(),
};
const LOAD_WITH_ALL_CHANNELS = statement(
  loadWhere(() => 'true'),
  FACTS,
);
const LOAD_WITH_CHANNELS = statement(
  loadWhere((channelId) => `${channelId} = any($5::bigint[])`),
  FACTS,
);
const LOAD_WITH_OWN_CHANNELS = statement(
  loadWhere(
    (channelId) => `${channelId} = any($5::bigint[] || array(
      select own.channel_id from subscription own where own.realm_id = $1 and own.user_id = $2))`,
  ),
  FACTS,
);

type ReadFactsRow = RowOf<typeof LOAD_WITH_CHANNELS>;

// NOTE: JSON, for the reason in api-keys.sql.ts.
const FIND_VERSIONS = statement(
  `select known.json as known
   from rows from (json_to_recordset($1::json) as (r bigint, u bigint, k bigint)) with ordinality as asked (realm_id, user_id, key_id, n)
   left join lateral (
     select json_build_object('holder', ${holderNowOf('asked.realm_id', 'asked.user_id', 'asked.key_id')},
       'version', ${versionOf('asked.realm_id', '$2::bigint')}, 'usersVersion', ${usersVersionOf('asked.realm_id')},
       'isLasting', ${lastsUntil('asked.realm_id', 'asked.key_id', '$2::bigint', '$3::bigint')}) as json
     from user_account u where u.realm_id = asked.realm_id and u.id = asked.user_id limit 1
   ) known on true order by asked.n`,
  {
    known: z
      .strictObject({
        holder: HOLDER_NOW.nullable(),
        version: z.string(),
        usersVersion: z.string().nullable(),
        isLasting: z.boolean(),
      })
      .nullable(),
  },
);

type ReadVersions = RowOf<typeof FIND_VERSIONS>['known'];

/**
 * The versions of each reader's facts, the account of their key if it is good, and whether time changes nothing of that before `thenMs`, in order; null
 * for unknown users.
 */
export async function findReadVersions(
  sql: Sql,
  readers: readonly Pick<Question, 'realmId' | 'userId' | 'apiKeyId'>[],
  { nowMs, thenMs }: { nowMs: number; thenMs: number },
): Promise<ReadVersions[]> {
  const asked = readers.map(({ realmId, userId, apiKeyId }) => ({ r: realmId, u: userId, k: apiKeyId }));
  const rows = await sql.query(FIND_VERSIONS, [JSON.stringify(asked), nowMs, thenMs]);
  return rows.map(({ known }) => known);
}

interface Question {
  realmId: number;
  userId: number;
  nowMs: number;
  /** The caller's credential, if it is to be confirmed. */
  apiKeyId: number | null;
  /** Absent: all channels. */
  scope?: ChannelScope | null | undefined;
}

/** Null when the organization has no such user. */
export async function loadReadFacts(
  sql: Sql,
  { realmId, userId, nowMs, apiKeyId, scope }: Question,
): Promise<ReadFactsRow | null> {
  const key = [realmId, userId, nowMs, apiKeyId];
  if (!scope) return (await sql.query(LOAD_WITH_ALL_CHANNELS, key))[0] ?? null;
  const load = scope.withOwn ? LOAD_WITH_OWN_CHANNELS : LOAD_WITH_CHANNELS;
  return (await sql.query(load, [...key, possibleIds(scope.ids)]))[0] ?? null;
}

// The groups of all readers are followed together: of a small table PostgreSQL reads all links for each group that it follows by itself.
const loadOfReaders = (own: string, facts: string) =>
  `with recursive asked (user_id, channel_ids, n) as (
     select user_id, channel_ids::bigint[], n from unnest($2::bigint[], $4::text[]) with ordinality as a (user_id, channel_ids, n)
   ), wanted (n, user_id, channel_id) as (
     select distinct asked.n, asked.user_id, c.id from asked, unnest(asked.channel_ids${own}) as c (id)
   ), reader (id) as (
     select distinct user_id from asked
   ), joined (user_id, group_id) as (
     (select m.user_id, m.group_id from reader join user_group_member m on m.realm_id = $1 and m.user_id = reader.id
      union
      select u.id, g.id from reader join user_account u on u.realm_id = $1 and u.id = reader.id
      join ${SYSTEM_GROUP_VALUES} on ${standingOf('u', '$1', '$3::bigint')} <= system_group.widest_standing
      join user_group g on g.realm_id = $1 and g.name = system_group.name)
     union
     select joined.user_id, around.group_id from joined
     join user_group_subgroup around on around.realm_id = $1 and around.subgroup_id = joined.group_id
   ), held (n, channel_id, names) as (
     select given.n, given.channel_id, json_agg(distinct given.name) from (
       select wanted.n, s.channel_id, s.name from wanted
       join channel_group_setting s on s.realm_id = $1 and s.channel_id = wanted.channel_id and s.name in (${METADATA_NAMES})
       join joined on joined.user_id = wanted.user_id and joined.group_id = s.group_id
       union all
       select wanted.n, c.id, '${CREATOR_SETTING}' from wanted
       join channel c on c.realm_id = $1 and c.id = wanted.channel_id and c.creator_id = wanted.user_id
       where not exists (
         select from channel_group_setting s where s.realm_id = $1 and s.channel_id = c.id and s.name = '${CREATOR_SETTING}')
     ) given group by given.n, given.channel_id
   )
   select u.id as "userId", u.role,
     coalesce(json_agg(${channelRow('held.names')} order by c.id) filter (where c.id is not null), '[]') as channels${facts}
   from asked join user_account u on u.realm_id = $1 and u.id = asked.user_id
   left join wanted on wanted.n = asked.n
   left join channel c on c.realm_id = $1 and c.id = wanted.channel_id
   left join lateral (
     select s.channel_id, s.is_active, s.is_muted from subscription s
     where s.realm_id = $1 and s.channel_id = c.id and s.user_id = u.id limit 1) s on true
   left join held on held.n = asked.n and held.channel_id = c.id
   group by asked.n, u.realm_id, u.id order by asked.n`;

const OF_READER = { userId: z.number(), role: z.number(), channels: z.array(CHANNEL) };
const LOAD_CHANNELS_OF_READERS = statement(loadOfReaders('', ''), OF_READER);

const LOAD_WITH_OWN_OF_READERS = statement(
  loadOfReaders(
    ` || array(select own.channel_id from subscription own where own.realm_id = $1 and own.user_id = asked.user_id)`,
    `, (
       select coalesce(json_agg(m.muted_user_id), '[]') from muted_user m where m.realm_id = u.realm_id and m.user_id = u.id
     ) as "mutedUserIds", u.is_active as "isActive"`,
  ),
  { ...OF_READER, mutedUserIds: z.array(z.number()), isActive: z.boolean() },
);

/** The requested channels of each reader, in order. */
export function loadChannelsOfReaders(
  sql: Sql,
  realmId: number,
  readers: readonly ReaderChannelIds[],
  nowMs: number,
): Promise<RowOf<typeof LOAD_CHANNELS_OF_READERS>[]> {
  return sql.query(LOAD_CHANNELS_OF_READERS, ofReaders(realmId, readers, nowMs));
}

/** The same and their own ones, present and former, whom they mute, and whether they are active. */
export function loadOwnOfReaders(
  sql: Sql,
  realmId: number,
  readers: readonly ReaderChannelIds[],
  nowMs: number,
): Promise<RowOf<typeof LOAD_WITH_OWN_OF_READERS>[]> {
  return sql.query(LOAD_WITH_OWN_OF_READERS, ofReaders(realmId, readers, nowMs));
}

function ofReaders(realmId: number, readers: readonly ReaderChannelIds[], nowMs: number): unknown[] {
  // Sent as text: PostgreSQL has no arrays of arrays with different lengths.
  const channelIds = readers.map((reader) => `{${reader.channelIds.join(',')}}`);
  return [realmId, readers.map(({ userId }) => userId), nowMs, channelIds];
}

/**
 * Excludes users who lost the message when it was moved: unsubscribed users of a formerly private channel, and unsubscribed guests of a
 * public one.
 */
const HAS_KEPT_IT = `($8::bigint is null
      or exists (select from subscription_interval i where i.realm_id = $1 and i.channel_id = $7 and i.user_id = u.id
        and i.from_version <= $8 and (i.to_version is null or i.to_version > $8))
      or exists (select from channel c where c.realm_id = $1 and c.id = $7 and not c.is_private
        and (c.is_web_public or u.role <> ${ROLES.guest}))
      or u.id = any($6::bigint[]))`;

// NOTE: planned for each call, as channels differ much in size.
const LIST_CANDIDATES = composed(
  `with candidate (user_id, from_version) as (
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
  order by u.id`,
  { userId: z.number(), isRead: z.boolean(), keepsReceiving: z.boolean() },
);

/** Users who may have read a message, and share read receipts with the reader. */
export function listReceiptCandidates(
  sql: Sql,
  realmId: number,
  readerId: number,
  { senderId, channelId, version, userIds, currentChannelId, movedVersion }: ReceiptQuery,
): Promise<ReceiptCandidate[]> {
  const conversation = [channelId, version, userIds, currentChannelId, movedVersion];
  return sql.query(LIST_CANDIDATES, [realmId, readerId, senderId, ...conversation]);
}

const LIST_WEB_PUBLIC = statement(
  `select id as "channelId", name, is_archived as "isArchived", subscription_version as "subscriptionVersion"
   from channel where realm_id = $1 and is_web_public order by id`,
  { channelId: z.number(), name: z.string(), isArchived: z.boolean(), subscriptionVersion: z.number() },
);

export function listWebPublicChannels(sql: Sql, realmId: number): Promise<RowOf<typeof LIST_WEB_PUBLIC>[]> {
  return sql.query(LIST_WEB_PUBLIC, [realmId]);
}

import { hasRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import { type AlertWordsOfRealm, type KnownAlertWords, messageShape, type OwnedAlertWord } from '@parley/shared/proto';
import { NOTIFICATION_FACTS, type NotificationFact, PRESENCE, USER_SETTING_DEFAULTS } from '@parley/shared/values';
import { z } from 'zod';
import { changesOf } from '../list-changes/list-changes.sql';

/** A message, and the users whom it concerns for a reason of their own. */
export interface MessageAsked {
  realmId: number;
  senderId: number;
  /** Null: a direct message. */
  channelId: number | null;
  version: number;
  mentionsAll: boolean;
  namedIds: readonly number[];
}

const setting = (name: keyof typeof USER_SETTING_DEFAULTS) =>
  `coalesce((chosen.chosen ->> '${name}')::boolean, ${USER_SETTING_DEFAULTS[name]})`;

/** SQL for those facts that are no setting of the account. */
const CONDITIONS: Partial<Record<NotificationFact, string>> = {
  isActiveNow: `p.active_at > to_timestamp($8 / 1000.0) - interval '${PRESENCE.offlineThresholdSecs} seconds'`,
  isSenderMuted:
    'exists (select from muted_user m where m.realm_id = a.realm_id and m.user_id = u.id and m.muted_user_id = a.sender_id)',
  isChannelMuted: 's.is_muted',
  hasChannelMails: 's.email_notifications is not null',
  wantsChannelMails: 's.email_notifications',
  hasChannelPushes: 's.push_notifications is not null',
  wantsChannelPushes: 's.push_notifications',
  hasChannelWildcards: 's.wildcard_mentions_notify is not null',
  wantsChannelWildcards: 's.wildcard_mentions_notify',
};

const BITS = NOTIFICATION_FACTS.map((name, index) => {
  const condition = CONDITIONS[name] ?? setting(name as keyof typeof USER_SETTING_DEFAULTS);
  return `(coalesce(${condition}, false)::int << ${index})`;
}).join('\n     | ');

const isIn = (interval: string) =>
  `${interval}.realm_id = a.realm_id and ${interval}.channel_id = a.channel_id
       and ${interval}.from_version <= a.version and (${interval}.to_version is null or ${interval}.to_version > a.version)`;

/** The row of a candidate, by its key: in a join the planner would read all subscriptions of each. */
const ofUser = (table: string, key: string, more = '') =>
  `select * from ${table} where realm_id = a.realm_id and ${key} = c.user_id ${more} limit 1`;

const WANTS_WILDCARDS = `coalesce(s.wildcard_mentions_notify, ${setting('wildcard_mentions_notify')})`;

const LOAD = statement(
  `with asked as materialized (
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[])
       with ordinality as a (realm_id, sender_id, channel_id, version, mentions_all, n)
   ), wishes as materialized (
     select c.realm_id, c.channel_id, w.user_id from (select distinct realm_id, channel_id from asked where channel_id is not null) c
     cross join lateral (
       select s.user_id from subscription s
       where s.realm_id = c.realm_id and s.channel_id = c.channel_id and (s.email_notifications or s.push_notifications)
       union
       select chosen.user_id from user_settings chosen
       join subscription s on s.realm_id = c.realm_id and s.channel_id = c.channel_id and s.user_id = chosen.user_id
       where chosen.realm_id = c.realm_id and (chosen.chosen @> '{"enable_stream_email_notifications": true}'
         or chosen.chosen @> '{"enable_stream_push_notifications": true}')
     ) w
   ), candidate as (
     select named.n, named.user_id from unnest($6::bigint[], $7::bigint[]) as named (n, user_id)
     union
     select a.n, w.user_id from asked a join wishes w on w.realm_id = a.realm_id and w.channel_id = a.channel_id
     union
     select a.n, i.user_id from asked a join subscription_interval i on ${isIn('i')}
     left join subscription s on s.realm_id = i.realm_id and s.channel_id = i.channel_id and s.user_id = i.user_id
     left join user_settings chosen on chosen.realm_id = i.realm_id and chosen.user_id = i.user_id
     where a.mentions_all and ${WANTS_WILDCARDS}
   )
   select a.n, array_agg(u.id order by u.id) as "userIds", array_agg((${BITS})::bigint order by u.id) as facts,
     array_agg(coalesce((chosen.chosen ->> 'email_notifications_batching_period_seconds')::bigint, 0) order by u.id) as "batchingSecs"
   from candidate c
   join asked a on a.n = c.n
   join lateral (${ofUser('user_account', 'id', 'and is_active and not is_bot')}) u on true
   left join lateral (${ofUser('subscription', 'user_id', 'and channel_id = a.channel_id')}) s on true
   left join lateral (${ofUser('user_settings', 'user_id')}) chosen on true
   left join lateral (${ofUser('user_presence', 'user_id')}) p on true
   where u.id <> a.sender_id and (a.channel_id is null
     or ${hasRow(`from subscription_interval i where ${isIn('i')} and i.user_id = u.id`)})
   group by a.n`,
  {
    /** Of the message, from 1 on. */
    n: z.number(),
    userIds: z.array(z.number()),
    /** See NOTIFICATION_FACTS. */
    facts: z.array(z.number()),
    batchingSecs: z.array(z.number()),
  },
);

/** The people for each of the messages, by its number; messages without any are left out. */
export function loadPeopleToNotify(
  sql: Sql,
  messages: readonly MessageAsked[],
  nowMs: number,
): Promise<RowOf<typeof LOAD>[]> {
  const named = messages.flatMap(({ namedIds }, index) => namedIds.map((userId) => ({ n: index + 1, userId })));
  return sql.query(LOAD, [
    messages.map(({ realmId }) => realmId),
    messages.map(({ senderId }) => senderId),
    messages.map(({ channelId }) => channelId),
    messages.map(({ version }) => version),
    messages.map(({ mentionsAll }) => mentionsAll),
    named.map(({ n }) => n),
    named.map(({ userId }) => userId),
    nowMs,
  ]);
}

const WORD = `json_build_object('userId', w.user_id, 'word', w.word, 'addedAtMs', (extract(epoch from w.added_at) * 1000)::bigint)`;

// A version is the number of changes, by which it is compared, and the snapshot that has seen them. One of a restored database is worth nothing:
// its transactions may be others.
const LOAD_CHANGED_WORDS = statement(
  `select asked.realm_id as "realmId", current.changes || '/' || now.snapshot as version, case when since.snapshot is null then (
     select coalesce(json_agg(${WORD}), '[]') from alert_word w where w.realm_id = asked.realm_id
   ) else (
     select coalesce(json_agg(${WORD}), '[]') from unnest(since.user_ids) as changed (user_id) cross join lateral (
       select * from alert_word where realm_id = asked.realm_id and user_id = changed.user_id offset 0) w
   ) end as words, since.snapshot is not null as "isChange", coalesce(since.user_ids, '{}') as "changedUserIds"
   from unnest($1::bigint[], $2::text[], $3::boolean[]) as asked (realm_id, version, takes_changes)
   cross join lateral (select ${changesOf('alert_words', 'asked.realm_id')}::text as changes) current
   cross join (select pg_current_snapshot() as snapshot) now
   cross join lateral (
     select known.snapshot, (
       select array_agg(c.user_id order by c.user_id) from alert_word_change c
       where c.realm_id = asked.realm_id and c.changed_by >= pg_snapshot_xmin(known.snapshot)::text::bigint
         and not pg_visible_in_snapshot(c.changed_by::text::xid8, known.snapshot)
     ) as user_ids
     from (select case when asked.takes_changes then nullif(split_part(asked.version, '/', 2), '')::pg_snapshot end as snapshot) parsed
     left join lateral (select parsed.snapshot where pg_snapshot_xmax(parsed.snapshot) <= pg_snapshot_xmax(now.snapshot)) known on true
   ) since
   where current.changes <> split_part(asked.version, '/', 1)`,
  {
    realmId: z.number(),
    version: z.string(),
    words: z.array(messageShape<OwnedAlertWord>('realm', 'OwnedAlertWord')),
    isChange: z.boolean(),
    changedUserIds: z.array(z.number()),
  },
);

/** The alert words of those organizations that have other ones now: only the changed ones for callers who take changes. */
export function loadChangedAlertWords(sql: Sql, known: readonly KnownAlertWords[]): Promise<AlertWordsOfRealm[]> {
  return sql.query(LOAD_CHANGED_WORDS, [
    known.map(({ realmId }) => realmId),
    known.map(({ version }) => version),
    known.map(({ takesChanges }) => takesChanges === true),
  ]);
}

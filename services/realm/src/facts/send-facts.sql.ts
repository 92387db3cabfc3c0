import { type Sql, statement } from '@parley/shared/db';
import { type ChannelName, type CustomEmoji, type Linkifier, messageShape } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { z } from 'zod';
import { isKnownTo } from '../accounts/accessible-users.sql';
import { USER, USER_JSON } from '../accounts/users.sql';
import { isGoodKey } from '../api-keys/api-keys.sql';
import { isSeenBy } from '../channel-access/channel-visibility.sql';
import { BARE_CHANNEL, BARE_CHANNEL_JSON } from '../channel-access/channels.sql';
import { CONTENT_SETTINGS } from '../channel-access/permissions';
import { memberIdsOf } from '../membership/group-reach.sql';
import { standingOf } from '../membership/standing.sql';
import { REALM, REALM_JSON } from '../organization/realms.sql';
import { customEmojiNamed } from '../organization-lists/custom-emoji.sql';
import { linkifiersOf } from '../organization-lists/linkifiers.sql';
import { CHANNEL, channelsWhere } from './read-facts.sql';
import {
  CHANNEL_RIGHTS,
  CHANNEL_RIGHTS_SHAPE,
  DEFAULT_CHANNEL_ID,
  NAMED_RIGHTS,
  NAMED_RIGHTS_SHAPE,
  REACH,
  reachJsonOf,
  SEND_GROUP,
  TOPIC_RIGHTS,
  TOPIC_RIGHTS_SHAPE,
} from './send-rights.sql';
import { unwillingIds } from './typing-audience.sql';

/** A query as the statement reads it: keys are lower-cased names, null skips a question. */
export interface SendFactsKeys {
  realm_id: number;
  sender_id: number;
  channel_id: number | null;
  channel_key: string | null;
  recipient_ids: number[] | null;
  recipient_emails: string[] | null;
  mentioned_ids: number[] | null;
  mentioned_keys: string[] | null;
  group_keys: string[] | null;
  linked_keys: string[] | null;
  emoji_names: string[] | null;
  api_key_id: number | null;
  uses_default_channel: boolean;
  /** Whether the content may have a wildcard mention; null: no. */
  mentions_many: true | null;
  tells_typing: true | null;
  /** For the choice of the statement only. */
  omits_organization: true | null;
  /** Channels that the sender wants to read, too. */
  read_channel_ids: number[] | null;
}

const FACTS = {
  sender: USER.nullable(),
  // The owner of a sending bot, if active.
  owner: z.strictObject({ standing: z.number() }).nullable(),
  // The sender's.
  standing: z.number().nullable(),
  channel: BARE_CHANNEL.nullable(),
  // Whether the channel is hidden from the sender.
  isHidden: z.boolean(),
  isSenderSubscribed: z.boolean(),
  isOwnerSubscribed: z.boolean(),
  sendGroup: REACH,
  // The group that may join without being asked; null where it does not matter.
  joinGroup: REACH.nullable(),
  // For the given credential, if any: it is the sender's and not revoked.
  isKeyGood: z.boolean(),
  // JSON.
  senderSettings: z.string().nullable(),
  ...CHANNEL_RIGHTS_SHAPE,
};

/** What follows from the organization's settings; omitted when all queries of the call omit it. */
const ORGANIZATION_FACTS = {
  realm: REALM.nullable(),
  linkifiers: z.array(messageShape<Linkifier>('realm', 'Linkifier')),
  ...TOPIC_RIGHTS_SHAPE,
};

/** In their place. */
const STATE_FACTS = {
  realmState: z.strictObject({ subdomain: z.string(), isDeactivated: z.boolean() }).nullable(),
};

const NAMED_GROUP = z.strictObject({
  id: z.number(),
  name: z.string(),
  isSystem: z.boolean(),
  isDeactivated: z.boolean(),
  memberIds: z.array(z.number()).nullable(),
  // Its setting `can_mention_group`; null: default.
  mentionGroup: REACH.nullable(),
});

export type NamedGroup = z.infer<typeof NAMED_GROUP>;

/** Omitted unless the call is about typing. */
const TYPING_FACTS = {
  // Users without typing notifications; null: not requested.
  unwillingIds: z.array(z.number()).nullable(),
};

/** Omitted unless a query asks for channels to read. */
const READING_FACTS = {
  // Null: not requested.
  readChannels: z.array(CHANNEL).nullable(),
};

/** Omitted when no query of the call names anything. */
const NAMED_FACTS = {
  recipients: z.array(USER).nullable(),
  usersById: z.array(USER).nullable(),
  // One for each name: active users first, then by age.
  usersByName: z.array(USER).nullable(),
  groups: z.array(NAMED_GROUP).nullable(),
  linkedChannels: z.array(messageShape<ChannelName>('realm', 'ChannelName')).nullable(),
  customEmoji: z.array(messageShape<CustomEmoji>('realm', 'CustomEmoji')).nullable(),
  ...NAMED_RIGHTS_SHAPE,
};

export type SendFactsRow = z.infer<z.ZodObject<typeof FACTS>> &
  Partial<
    z.infer<
      z.ZodObject<
        typeof ORGANIZATION_FACTS & typeof STATE_FACTS & typeof NAMED_FACTS & typeof TYPING_FACTS & typeof READING_FACTS
      >
    >
  >;

const NOW_MS = '$2::bigint';

const JOIN_GROUP_IDS = `array(select s.group_id from channel_group_setting s
  where s.realm_id = q.realm_id and s.channel_id = channel.id and s.name in ('${CONTENT_SETTINGS.join("', '")}'))`;

const IS_KEY_GOOD = `(q.api_key_id is null or ${isGoodKey('q.realm_id', 'q.sender_id', 'q.api_key_id')})`;

const DESTINATION = `left join lateral (
     select ${BARE_CHANNEL_JSON} as json, c.id, c.can_send_message_group_id as send_group_id,
       c.subscriber_count, c.is_private, c.is_private and c.is_history_public as is_history_shared,
       c.is_private and not c.is_history_public as is_history_protected,
       (c.is_private or sender.role = ${ROLES.guest}) and not ${isSeenBy('q.realm_id', 'q.sender_id', NOW_MS)} as is_hidden
     from channel c
     where c.realm_id = q.realm_id and c.id = coalesce(q.channel_id, (
       select named.id from channel named where named.realm_id = q.realm_id and named.name_key = q.channel_key),
       ${DEFAULT_CHANNEL_ID}) limit 1
   ) channel on true`;

const ORGANIZATION = `(select ${REALM_JSON} from realm r where r.id = q.realm_id) as realm,
     ${linkifiersOf('q.realm_id')} as linkifiers, ${TOPIC_RIGHTS}`;
const STATE = `(select json_build_object('subdomain', r.subdomain, 'isDeactivated', r.is_deactivated)
       from realm r where r.id = q.realm_id) as "realmState"`;

// NOTE: `limit 1`, `offset 0` and scalar subqueries force the planner to index lookups; without statistics it would scan whole tables for
// a single send.
const factsOf = (more = '', organization = ORGANIZATION) =>
  `select ${organization},
     ${IS_KEY_GOOD} as "isKeyGood",
     sender.json as sender, sender.standing, owner.json as owner, channel.json as channel,
     coalesce(channel.is_hidden, false) as "isHidden",
     coalesce(own.is_active, false) as "isSenderSubscribed",
     coalesce((select s.is_active ${subscriptionOf('owner.id')}), false) as "isOwnerSubscribed",
     ${SEND_GROUP},
     case when channel.is_history_shared then ${reachJsonOf(JOIN_GROUP_IDS)} end as "joinGroup",
     ${CHANNEL_RIGHTS},
     (select s.chosen::text from user_settings s
      where s.realm_id = q.realm_id and s.user_id = q.sender_id) as "senderSettings"${more}
   from rows from (json_to_recordset($1::json) as (
     realm_id bigint, sender_id bigint, channel_id bigint, channel_key text, recipient_ids bigint[],
     recipient_emails text[], mentioned_ids bigint[], mentioned_keys text[], group_keys text[], linked_keys text[],
     emoji_names text[], api_key_id bigint, uses_default_channel boolean, mentions_many boolean, tells_typing boolean, read_channel_ids bigint[]
   )) with ordinality as q (realm_id, sender_id, channel_id, channel_key, recipient_ids,
     recipient_emails, mentioned_ids, mentioned_keys, group_keys, linked_keys, emoji_names, api_key_id,
     uses_default_channel, mentions_many, tells_typing, read_channel_ids, n)
   left join lateral (
     select ${USER_JSON} as json, u.role, u.is_bot, u.system_bot is not null as is_system_bot, u.bot_owner_id, ${standingOf('u', 'q.realm_id', NOW_MS)} as standing
     from user_account u
     where u.realm_id = q.realm_id and u.id = q.sender_id limit 1
   ) sender on true
   left join lateral (
     select json_build_object('standing', ${standingOf('u', 'q.realm_id', NOW_MS)}) as json, u.id from user_account u
     where u.realm_id = q.realm_id and u.id = sender.bot_owner_id and u.is_active limit 1
   ) owner on true
   ${DESTINATION}
   left join lateral (select s.is_active, s.is_muted ${subscriptionOf('q.sender_id')} limit 1) own on true
   order by q.n`;

/** For a row of `user_account` called `u`. */
const IS_KNOWN = isKnownTo('q.realm_id', 'q.sender_id');

/** The user whose visibility of channels decides on links: the sender, for system bots the receiver. */
const KNOWER_ID = `case when sender.is_system_bot and q.recipient_ids is not null then q.recipient_ids[1] else q.sender_id end`;

/** The users, groups, channels and emoji that a query names, apart from its channel. */
const NAMED = `,
     (select json_agg(recipient.json) from (
        select ${USER_JSON} as json from user_account u
        where u.realm_id = q.realm_id and u.id = any(q.recipient_ids)
        union all
        select ${USER_JSON} from user_account u
        where u.realm_id = q.realm_id and lower(u.email) = any(q.recipient_emails)
      ) recipient) as recipients,
     (select json_agg(${USER_JSON}) from user_account u
      where u.realm_id = q.realm_id and u.id = any(q.mentioned_ids) and ${IS_KNOWN}) as "usersById",
     (select json_agg(namesake.json) from (
        select distinct on (u.full_name_key) ${USER_JSON} as json from user_account u
        where u.realm_id = q.realm_id and u.full_name_key = any(q.mentioned_keys) and ${IS_KNOWN}
        order by u.full_name_key, u.is_active desc, u.system_bot is not null, u.id
      ) namesake) as "usersByName",
     (select json_agg(json_build_object('id', g.id, 'name', g.name, 'isSystem', g.is_system,
        'isDeactivated', g.is_deactivated,
        'memberIds', ${memberIdsOf('q.realm_id', 'g.id', NOW_MS)}, 'mentionGroup', setting.reach))
      from user_group g left join lateral (
        select ${reachJsonOf('array[s.group_id]')} as reach from user_group_setting s
        where s.realm_id = q.realm_id and s.user_group_id = g.id and s.name = 'can_mention_group' limit 1
      ) setting on true
      where g.realm_id = q.realm_id and g.name_key = any(q.group_keys)) as groups,
     (select json_agg(json_build_object('id', c.id, 'name', c.name)) from channel c
      where c.realm_id = q.realm_id and c.name_key = any(q.linked_keys) and not c.is_archived
        and (c.id = channel.id or ${isSeenBy('q.realm_id', KNOWER_ID, NOW_MS)})) as "linkedChannels",
     ${customEmojiNamed('q.realm_id', 'q.emoji_names')} as "customEmoji",${NAMED_RIGHTS(NOW_MS)}`;

const PEOPLE_IDS = 'case when channel.id is null then q.recipient_ids || q.sender_id end';

/** Users without typing notifications, among the channel's subscribers or else the recipients and the sender. */
const TYPING = `,
     case when q.tells_typing then ${unwillingIds('q.realm_id', 'channel', PEOPLE_IDS)} end as "unwillingIds"`;

/** Channels for reading, as the sender's subscriptions allow it. */
const READING = `,
     (select ${channelsWhere((channelId) => `${channelId} = any(q.read_channel_ids)`, false)} from user_account u
      where u.realm_id = q.realm_id and u.id = q.sender_id) as "readChannels"`;

const ALL_FACTS = { ...FACTS, ...ORGANIZATION_FACTS };
const LOAD = statement(factsOf(), ALL_FACTS);
const LOAD_WITH_TYPING = statement(factsOf(TYPING), { ...ALL_FACTS, ...TYPING_FACTS });
const LOAD_FOR_TYPING = statement(factsOf(TYPING, STATE), { ...FACTS, ...STATE_FACTS, ...TYPING_FACTS });
const LOAD_WITH_NAMED = statement(factsOf(NAMED + TYPING), { ...ALL_FACTS, ...NAMED_FACTS, ...TYPING_FACTS });

const LOAD_WITH_READING = statement(factsOf(READING), { ...ALL_FACTS, ...READING_FACTS });
const LOAD_WITH_NAMED_AND_READING = statement(factsOf(NAMED + READING), {
  ...ALL_FACTS,
  ...NAMED_FACTS,
  ...READING_FACTS,
});

/** One row for each query, in order. */
export function loadSendFacts(sql: Sql, queries: readonly SendFactsKeys[], nowMs: number): Promise<SendFactsRow[]> {
  const values = [JSON.stringify(queries), nowMs];
  const isNaming = queries.some(namesAnything);
  if (queries.some(({ read_channel_ids }) => read_channel_ids !== null)) {
    return isNaming ? sql.query(LOAD_WITH_NAMED_AND_READING, values) : sql.query(LOAD_WITH_READING, values);
  }
  if (isNaming) return sql.query(LOAD_WITH_NAMED, values);
  if (queries.every(({ omits_organization }) => omits_organization)) return sql.query(LOAD_FOR_TYPING, values);
  return queries.some(({ tells_typing }) => tells_typing)
    ? sql.query(LOAD_WITH_TYPING, values)
    : sql.query(LOAD, values);
}

function namesAnything({
  realm_id,
  sender_id,
  channel_id,
  channel_key,
  api_key_id,
  uses_default_channel,
  tells_typing,
  omits_organization,
  read_channel_ids,
  ...lists
}: SendFactsKeys): boolean {
  return Object.values(lists).some((list) => list !== null);
}

function subscriptionOf(userId: string): string {
  return `from subscription s where s.realm_id = q.realm_id and s.channel_id = channel.id and s.user_id = ${userId}`;
}

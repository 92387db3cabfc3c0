import { messageShape, type VersionInterval } from '@parley/shared/proto';
import { BOT_TYPES, ROLES } from '@parley/shared/values';
import { z } from 'zod';
import { isKnownTo } from '../accounts/accessible-users.sql';
import { isAnyInReach, memberIdsOf } from '../membership/group-reach.sql';

/** The shape of reachJsonOf(): a group and its subgroups, with membership of the sender and a sending bot's owner. */
export const REACH = z.strictObject({
  systemGroups: z.array(z.string()),
  isSenderListed: z.boolean(),
  isOwnerListed: z.boolean(),
});

export type ReachOfSend = z.infer<typeof REACH>;

/** The shape of the columns of CHANNEL_RIGHTS. */
export const CHANNEL_RIGHTS_SHAPE = {
  isMuted: z.boolean(),
  // For a channel with protected history.
  seenIntervals: z.array(messageShape<VersionInterval>('realm', 'VersionInterval')).nullable(),
  notificationBotId: z.number().nullable(),
};

/** The shape of the column of TOPIC_RIGHTS. */
export const TOPIC_RIGHTS_SHAPE = {
  // Null: all users may begin topics.
  createTopicGroup: REACH.nullable(),
};

/** The organization's settings for direct messages; null: default. */
const DIRECT = z.strictObject({
  // Whether the sender may see all recipients; null: no recipients.
  areKnown: z.boolean().nullable(),
  permission: z.strictObject({ isNobody: z.boolean(), isAuthorized: z.boolean() }).nullable(),
  initiatorGroup: REACH.nullable(),
});

/** The shape of the columns of NAMED_RIGHTS. */
export const NAMED_RIGHTS_SHAPE = {
  direct: DIRECT.nullable(),
  // Null: default.
  mentionManyGroup: REACH.nullable(),
  // Null: not a channel message.
  mentioned: z.strictObject({ followerIds: z.array(z.number()), calledBotIds: z.array(z.number()) }).nullable(),
};

/** The columns of NAMED_RIGHTS are omitted when no query of the call names anything, TOPIC_RIGHTS when none needs it. */
export type SendRightsRow = z.infer<z.ZodObject<typeof CHANNEL_RIGHTS_SHAPE>> &
  Partial<z.infer<z.ZodObject<typeof NAMED_RIGHTS_SHAPE & typeof TOPIC_RIGHTS_SHAPE>>>;

/** SQL: rights in the channel, each a look-up of one row at most; `own` is the sender's subscription. */
export const CHANNEL_RIGHTS = `
     coalesce(own.is_muted, false) as "isMuted",
     case when channel.is_history_protected then (
       select json_agg(json_strip_nulls(json_build_object('fromVersion', i.from_version, 'toVersion', i.to_version)))
       from subscription_interval i
       where i.realm_id = q.realm_id and i.channel_id = channel.id and i.user_id = q.sender_id
     ) end as "seenIntervals",
     case when sender.is_bot and (coalesce(channel.subscriber_count, 0) = 0 or channel.is_hidden) then (
       select bot.id from user_account bot where bot.realm_id = q.realm_id and bot.system_bot = 'notification-bot'
     ) end as "notificationBotId"`;

/** SQL: who may send to the channel. Mostly a system group: its name says all. */
export const SEND_GROUP = `coalesce((
       select json_build_object('systemGroups', json_build_array(g.name), 'isSenderListed', false, 'isOwnerListed', false)
       from user_group g where g.realm_id = q.realm_id and g.id = channel.send_group_id and g.is_system
     ), ${reachJsonOf('array[channel.send_group_id]')}) as "sendGroup"`;

/** SQL: who may begin topics in the channel. */
export const TOPIC_RIGHTS = `(select ${reachJsonOf('array[s.group_id]')} from channel_group_setting s
       where s.realm_id = q.realm_id and s.channel_id = channel.id and s.name = 'can_create_topic_group'
       limit 1) as "createTopicGroup"`;

/** SQL: a bot's default channel, for messages without a channel. */
export const DEFAULT_CHANNEL_ID = `case when q.uses_default_channel then (
       select b.default_sending_channel_id from bot b where b.realm_id = q.realm_id and b.user_id = q.sender_id) end`;

const RECIPIENT_IDS = `select r.id from user_account r where r.realm_id = q.realm_id and r.id = any(q.recipient_ids)
       union all
       select r.id from user_account r where r.realm_id = q.realm_id and lower(r.email) = any(q.recipient_emails)`;

const DIRECT_RIGHTS = (nowMs: string) => `json_build_object(
       'areKnown', (select bool_and(${isKnownTo('q.realm_id', 'q.sender_id')}) from (${RECIPIENT_IDS}) recipient,
         lateral (select * from user_account r where r.realm_id = q.realm_id and r.id = recipient.id limit 1) u),
       'permission', (select json_build_object(
           'isNobody', exists (select from user_group g where g.realm_id = q.realm_id and g.id = s.group_id and g.name = 'role:nobody'),
           'isAuthorized', ${isAnyInReach('q.realm_id', 's.group_id', `${RECIPIENT_IDS} union all select q.sender_id`, nowMs)})
         from realm_group_setting s where s.realm_id = q.realm_id and s.name = 'direct_message_permission_group' limit 1),
       'initiatorGroup', (select ${reachJsonOf('array[s.group_id]')}
         from realm_group_setting s where s.realm_id = q.realm_id and s.name = 'direct_message_initiator_group' limit 1))`;

/** For a row of `user_account` called `u`. */
const IS_SUBSCRIBED = `exists (select from subscription s
         where s.realm_id = q.realm_id and s.channel_id = channel.id and s.user_id = u.id and s.is_active)`;

/** For a row of `user_account` called `u`; users who do not get the message follow nothing. */
const FOLLOWS_MENTIONS = `not exists (select from user_settings s where s.realm_id = q.realm_id and s.user_id = u.id
         and s.chosen @> '{"automatically_follow_topics_where_mentioned": false}')
       and ${IS_SUBSCRIBED}`;

/** For a row of `user_account` called `u`, a bot: generic bots that read their messages; webhook bots are called by address. */
const IS_CALLED = `u.bot_type = ${BOT_TYPES.generic} and u.system_bot is null and u.role <> ${ROLES.guest}
       and not channel.is_private and not ${IS_SUBSCRIBED}`;

/** Mentioned by name or as members of groups. */
const MENTIONED_IDS = (nowMs: string) => `select unnest(q.mentioned_ids) as id
         union
         select named.id from user_account named
         where named.realm_id = q.realm_id and named.full_name_key = any(q.mentioned_keys)
         union
         select member.id::bigint from user_group g, json_array_elements_text(${memberIdsOf('q.realm_id', 'g.id', nowMs)}) member (id)
         where g.realm_id = q.realm_id and g.name_key = any(q.group_keys) and not g.is_deactivated`;

/** SQL: rights that depend on the recipients and the mentioned users. */
export const NAMED_RIGHTS = (nowMs: string) => `
     case when q.recipient_ids is not null or q.recipient_emails is not null then ${DIRECT_RIGHTS(nowMs)} end as direct,
     case when q.mentions_many then (select ${reachJsonOf('array[s.group_id]')} from realm_group_setting s
       where s.realm_id = q.realm_id and s.name = 'can_mention_many_users_group' limit 1) end as "mentionManyGroup",
     case when channel.id is not null then (
       select json_build_object('followerIds', coalesce(json_agg(u.id) filter (where not u.is_bot), '[]'),
         'calledBotIds', coalesce(json_agg(u.id order by u.id) filter (where u.is_bot), '[]'))
       from (${MENTIONED_IDS(nowMs)}) mentioned, lateral (
         select u.id, u.is_bot from user_account u where u.realm_id = q.realm_id and u.id = mentioned.id and u.is_active
           and case when u.is_bot then ${IS_CALLED} else ${FOLLOWS_MENTIONS} end limit 1
       ) u
     ) end as mentioned`;

/** SQL for a ReachOfSend as JSON of an array of groups, where `q` is the query and `owner` the sending bot's owner. */
export function reachJsonOf(groupIds: string): string {
  return `reach_of_groups(q.realm_id, ${groupIds}, q.sender_id, owner.id)`;
}

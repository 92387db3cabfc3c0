import { type RowOf, type Sql, statement } from '@parley/shared/db';
import { type Bot, messageShape, type OutgoingWebhook, type User } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import type { ShownBot } from '@parley/shared/wire';
import { z } from 'zod';
import { USER_JSON } from '../accounts/users.sql';
import { isSeenBy } from '../channel-access/channel-visibility.sql';

const NOW_MS = '(extract(epoch from now()) * 1000)::bigint';

/** The channel's name while the owner may see the channel: a bot must not reveal a new name to an owner without access. */
const nameForOwner = (channelId: string) => `(select c.name from channel c
    where c.realm_id = b.realm_id and c.id = ${channelId} and ${isSeenBy('b.realm_id', 'u.bot_owner_id', NOW_MS)})`;

const BOT_JSON = `json_strip_nulls(json_build_object('user', ${USER_JSON},
  'defaultSendingChannel', ${nameForOwner('b.default_sending_channel_id')},
  'defaultEventsChannel', ${nameForOwner('b.default_events_channel_id')},
  'hearsAllPublicChannels', coalesce(b.hears_all_public_channels, false), 'configData', coalesce(b.config_data, '{}'),
  'webhook', case when s.user_id is not null then json_build_object(
    'payloadUrl', s.payload_url, 'interface', s.interface, 'token', s.token) end))`;

const SELECT_BOTS = `select ${BOT_JSON} as bot, events.name as "eventsChannel", u.may_create_users as "mayCreateUsers",
    coalesce(sending.is_private, false) or coalesce(events.is_private, false) as "isForPrivateChannel"
  from user_account u
  left join bot b on b.realm_id = u.realm_id and b.user_id = u.id
  left join channel sending on sending.realm_id = b.realm_id and sending.id = b.default_sending_channel_id
  left join channel events on events.realm_id = b.realm_id and events.id = b.default_events_channel_id
  left join bot_service s on s.realm_id = u.realm_id and s.user_id = u.id
  where u.realm_id = $1 and u.bot_owner_id is not null`;

/** Bots with the role of owner are managed by owners only, see isOwnersBot(). */
const IS_FOR_VIEWER = `(u.role <> ${ROLES.owner} or exists (
    select from user_account v where v.realm_id = $1 and v.id = $2 and v.role = ${ROLES.owner}))`;

const selecting = (condition: string) =>
  statement(`${SELECT_BOTS} and ${condition} order by u.id`, {
    bot: messageShape<Bot & { user: User }>('realm', 'Bot'),
    // The bot's default channel for events, also if its owner cannot see it.
    eventsChannel: z.string().nullable(),
    // The operator's right to create accounts.
    mayCreateUsers: z.boolean(),
    // One of its channels is private, so its name is hidden from administrators.
    isForPrivateChannel: z.boolean(),
  });
const FIND = selecting('u.id = any($2)');
const LIST_OWNED = selecting(`u.bot_owner_id = $2 and ${IS_FOR_VIEWER}`);
// Two lookups, the second one for people who are administrators only: people have few bots, organizations many.
const IS_MANAGED = `u.id = any(array(
    select own.id from user_account own where own.realm_id = $1 and own.bot_owner_id = $2
    union all
    select others.id from user_account others
    where others.realm_id = $1 and others.bot_owner_id <> $2 and exists (
      select from user_account v where v.realm_id = $1 and v.id = $2 and v.role <= ${ROLES.administrator} and not v.is_bot)))
  and ${IS_FOR_VIEWER}`;
const LIST_MANAGED = selecting(IS_MANAGED);

/** SQL for whether the user `u`, who is `$2` of the organization `$1`, may manage any bot that there is: most people have none, and bots never. */
export const MANAGES_BOTS = `(u.role <= ${ROLES.administrator} and not u.is_bot
  or exists (select from user_account own where own.realm_id = $1 and own.bot_owner_id = $2))`;

/** A bot with an owner. */
export type BotRow = RowOf<typeof FIND>;

/** Null when the organization has no such bot, or the bot has no owner. */
export async function findBot(sql: Sql, realmId: number, botId: number): Promise<BotRow | null> {
  const [row] = await findBots(sql, realmId, [botId]);
  return row ?? null;
}

/** The bots among the ids, active or not, by id. */
export function findBots(sql: Sql, realmId: number, ids: readonly number[]): Promise<BotRow[]> {
  return sql.query(FIND, [realmId, ids]);
}

/** The bots that a person owns and may manage, active or not, by id. */
export function listOwnedBots(sql: Sql, realmId: number, ownerId: number): Promise<BotRow[]> {
  return sql.query(LIST_OWNED, [realmId, ownerId]);
}

/** All bots that the user manages, active or not, by id: people who are administrators manage all. */
export function listManagedBots(sql: Sql, realmId: number, userId: number): Promise<BotRow[]> {
  return sql.query(LIST_MANAGED, [realmId, userId]);
}

// Columns, of which PostgreSQL answers hundreds in the time of JSON for twenty.
const LIST_SHOWN = statement(
  `select u.id, u.realm_id as "realmId", u.full_name as "fullName", u.email, u.bot_type as "botType", u.bot_owner_id as "botOwnerId",
     u.is_active as "isActive", u.avatar_version as "avatarVersion", u.avatar_file_name as "avatarFileName",
     ${nameForOwner('b.default_sending_channel_id')} as "defaultSendingChannel",
     ${nameForOwner('b.default_events_channel_id')} as "defaultEventsChannel",
     coalesce(b.hears_all_public_channels, false) as "hearsAllPublicChannels",
     s.payload_url as "payloadUrl", s.interface, s.token
   from user_account u
   left join bot b on b.realm_id = u.realm_id and b.user_id = u.id
   left join bot_service s on s.realm_id = u.realm_id and s.user_id = u.id
   where u.realm_id = $1 and u.bot_owner_id is not null and ${IS_MANAGED} order by u.id`,
  {
    id: z.number(),
    realmId: z.number(),
    fullName: z.string(),
    email: z.string(),
    botType: z.number().nullable(),
    botOwnerId: z.number(),
    isActive: z.boolean(),
    avatarVersion: z.number(),
    avatarFileName: z.string().nullable(),
    defaultSendingChannel: z.string().nullable(),
    defaultEventsChannel: z.string().nullable(),
    hearsAllPublicChannels: z.boolean(),
    // Null: no outgoing webhook bot.
    payloadUrl: z.string().nullable(),
    interface: z.number().nullable(),
    token: z.string().nullable(),
  },
);

/** The same bots, with what is shown of them. */
export async function listShownBots(sql: Sql, realmId: number, userId: number): Promise<ShownBot[]> {
  const rows = await sql.query(LIST_SHOWN, [realmId, userId]);
  return rows.map(shownBot);
}

function shownBot(row: RowOf<typeof LIST_SHOWN>): ShownBot {
  const {
    defaultSendingChannel,
    defaultEventsChannel,
    hearsAllPublicChannels,
    payloadUrl,
    interface: format,
    token,
  } = row;
  const { id, realmId, fullName, email, botType, botOwnerId, isActive, avatarVersion, avatarFileName } = row;
  const user = { id, realmId, fullName, email, botOwnerId, isActive, avatarVersion };
  return {
    user: { ...user, ...(botType !== null && { botType }), ...(avatarFileName !== null && { avatarFileName }) },
    ...(defaultSendingChannel !== null && { defaultSendingChannel }),
    ...(defaultEventsChannel !== null && { defaultEventsChannel }),
    hearsAllPublicChannels,
    webhook: payloadUrl === null ? null : ({ payloadUrl, interface: format, token } as OutgoingWebhook),
  };
}

const FIND_NAMESAKE = statement(
  `select from user_account
   where realm_id = $1 and full_name_key = $2 and full_name = $3 and is_active and id is distinct from $4 limit 1`,
  {},
);

/** Whether an active account, person or bot, has exactly that name, apart from `exceptId`. */
export async function isActiveNameTaken(
  sql: Sql,
  realmId: number,
  { fullName, fullNameKey, exceptId }: { fullName: string; fullNameKey: string; exceptId: number | null },
): Promise<boolean> {
  const rows = await sql.query(FIND_NAMESAKE, [realmId, fullNameKey, fullName, exceptId]);
  return rows.length > 0;
}

/** Absent: unchanged; null: cleared. */
export interface BotChange {
  sendingChannelId?: number | null;
  eventsChannelId?: number | null;
  hearsAllPublicChannels?: boolean;
  /** Merged into the stored data by key. */
  configData?: Record<string, string>;
}

const STORE_CHANGE = statement(
  `insert into bot as b
     (realm_id, user_id, default_sending_channel_id, default_events_channel_id, hears_all_public_channels, config_data)
   values ($1, $2, $4, $6, coalesce($7, false), coalesce($8::jsonb, '{}'))
   on conflict (realm_id, user_id) do update set
     default_sending_channel_id = case when $3 then $4 else b.default_sending_channel_id end,
     default_events_channel_id = case when $5 then $6 else b.default_events_channel_id end,
     hears_all_public_channels = coalesce($7, b.hears_all_public_channels),
     config_data = b.config_data || coalesce($8::jsonb, '{}')`,
);

export async function storeBotChange(sql: Sql, realmId: number, botId: number, change: BotChange): Promise<void> {
  await sql.query(STORE_CHANGE, [
    realmId,
    botId,
    change.sendingChannelId !== undefined,
    change.sendingChannelId ?? null,
    change.eventsChannelId !== undefined,
    change.eventsChannelId ?? null,
    change.hearsAllPublicChannels ?? null,
    change.configData === undefined ? null : JSON.stringify(change.configData),
  ]);
}

export interface WebhookTarget {
  payloadUrl: string;
  interface: number;
}

const STORE_WEBHOOK_TARGET = statement(
  'update bot_service set payload_url = $3, interface = $4 where realm_id = $1 and user_id = $2',
);

export async function storeWebhookTarget(
  sql: Sql,
  realmId: number,
  botId: number,
  { payloadUrl, interface: format }: WebhookTarget,
): Promise<void> {
  await sql.query(STORE_WEBHOOK_TARGET, [realmId, botId, payloadUrl, format]);
}

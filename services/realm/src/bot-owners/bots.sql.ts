import type { Sql } from '@parley/shared/db';
import type { Bot, User } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { USER_JSON } from '../accounts/users.sql';
import { isSeenBy } from '../channel-access/channel-visibility.sql';

/** A bot that somebody owns. */
export interface BotRow {
  bot: Bot & { user: User };
  /** It speaks or listens in a private channel, whose name is not for everybody who administers the organization. */
  isForPrivateChannel: boolean;
  /** Of the channel that the bot listens to unless it says otherwise, also where its owner may not know of it. */
  eventsChannel: string | null;
  /** The operator lets it make accounts. */
  mayCreateUsers: boolean;
}

const NOW_MS = '(extract(epoch from now()) * 1000)::bigint';

/** A channel is called something else tomorrow: who was put out of it is told its name no more, by their bots neither. */
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

/** Null when the organization has no such bot, or the bot has no owner. */
export async function findBot(sql: Sql, realmId: number, botId: number): Promise<BotRow | null> {
  const [row] = await findBots(sql, realmId, [botId]);
  return row ?? null;
}

/** The bots among the ids, active or not, by id. */
export function findBots(sql: Sql, realmId: number, ids: readonly number[]): Promise<BotRow[]> {
  return sql.query(`${SELECT_BOTS} and u.id = any($2) order by u.id`, [realmId, ids]);
}

/** Bots that are owners themselves are theirs alone: isOwnersBot(). */
const IS_FOR_VIEWER = `(u.role <> ${ROLES.owner} or exists (
    select from user_account v where v.realm_id = $1 and v.id = $2 and v.role = ${ROLES.owner}))`;

/** The bots that a person owns and may manage, active or not, by id. */
export function listOwnedBots(sql: Sql, realmId: number, ownerId: number): Promise<BotRow[]> {
  return sql.query(`${SELECT_BOTS} and u.bot_owner_id = $2 and ${IS_FOR_VIEWER} order by u.id`, [realmId, ownerId]);
}

/** All bots that the user manages, active or not, by id: those who administer the organization manage everybody's. */
export function listManagedBots(sql: Sql, realmId: number, userId: number): Promise<BotRow[]> {
  return sql.query(
    // Two lookups, and the second one only for whom it is for: people have few bots, organizations many.
    `${SELECT_BOTS} and u.id = any(array(
       select own.id from user_account own where own.realm_id = $1 and own.bot_owner_id = $2
       union all
       select others.id from user_account others
       where others.realm_id = $1 and others.bot_owner_id <> $2 and exists (
         select from user_account v where v.realm_id = $1 and v.id = $2 and v.role <= ${ROLES.administrator})))
       and ${IS_FOR_VIEWER}
     order by u.id`,
    [realmId, userId],
  );
}

/** Whether an active account, person or bot, is called exactly that; `exceptId` does not count. */
export async function isActiveNameTaken(
  sql: Sql,
  realmId: number,
  { fullName, fullNameKey, exceptId }: { fullName: string; fullNameKey: string; exceptId: number | null },
): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from user_account
     where realm_id = $1 and full_name_key = $2 and full_name = $3 and is_active and id is distinct from $4 limit 1`,
    [realmId, fullNameKey, fullName, exceptId],
  );
  return rows.length > 0;
}

/** Absent values stay; a null id clears. */
export interface BotChange {
  sendingChannelId?: number | null;
  eventsChannelId?: number | null;
  hearsAllPublicChannels?: boolean;
  /** Added to what there is, name by name. */
  configData?: Record<string, string>;
}

export async function storeBotChange(sql: Sql, realmId: number, botId: number, change: BotChange): Promise<void> {
  await sql.query(
    `insert into bot as b
       (realm_id, user_id, default_sending_channel_id, default_events_channel_id, hears_all_public_channels, config_data)
     values ($1, $2, $4, $6, coalesce($7, false), coalesce($8::jsonb, '{}'))
     on conflict (realm_id, user_id) do update set
       default_sending_channel_id = case when $3 then $4 else b.default_sending_channel_id end,
       default_events_channel_id = case when $5 then $6 else b.default_events_channel_id end,
       hears_all_public_channels = coalesce($7, b.hears_all_public_channels),
       config_data = b.config_data || coalesce($8::jsonb, '{}')`,
    [
      realmId,
      botId,
      change.sendingChannelId !== undefined,
      change.sendingChannelId ?? null,
      change.eventsChannelId !== undefined,
      change.eventsChannelId ?? null,
      change.hearsAllPublicChannels ?? null,
      change.configData === undefined ? null : JSON.stringify(change.configData),
    ],
  );
}

export interface WebhookTarget {
  payloadUrl: string;
  interface: number;
}

export async function storeWebhookTarget(
  sql: Sql,
  realmId: number,
  botId: number,
  { payloadUrl, interface: format }: WebhookTarget,
): Promise<void> {
  await sql.query('update bot_service set payload_url = $3, interface = $4 where realm_id = $1 and user_id = $2', [
    realmId,
    botId,
    payloadUrl,
    format,
  ]);
}

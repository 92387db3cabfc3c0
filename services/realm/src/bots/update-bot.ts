import { announce } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { type BotProperty, botChanged } from '@parley/shared/events';
import type { UpdateBotRequest, UpdatedBot, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ROLE_VALUES } from '@parley/shared/values';
import { publicBot } from '@parley/shared/wire';
import { requireMayChangeRole } from '../accounts/permissions';
import { findUser, findUsersByIds } from '../accounts/users.sql';
import { type Actor, loadActor } from '../actors/actor';
import { type Avatar, changeAvatar, makeAvatar } from '../avatars/avatars';
import { requireMember } from '../base/guards';
import { possibleIds } from '../base/possible-values';
import { managerIdsOf } from '../bot-owners/bot-manager-ids';
import {
  type BotChange,
  type BotRow,
  findBot,
  storeBotChange,
  storeWebhookTarget,
  type WebhookTarget,
} from '../bot-owners/bots.sql';
import { changeBotOwner } from '../bot-owners/change-bot-owner';
import type { Context } from '../context';
import { changeFullName, fullNameFromInput } from '../people/full-name';
import { changeRole } from '../users/change-role';
import {
  checkBotName,
  checkConfigData,
  checkFileCount,
  checkInterface,
  defaultChannelFromInput,
  payloadUrlFromInput,
} from './bot-input';
import { accessBot, changeBot } from './bots';

const PROPERTIES: readonly BotProperty[] = [
  'default_sending_stream',
  'default_events_register_stream',
  'default_all_public_streams',
  'services',
];

/** Changes a bot: everything that the request names, or nothing. */
export async function updateBot(ctx: Context, caller: Caller, request: UpdateBotRequest): Promise<UpdatedBot> {
  const picture = await pictureOf(request.files, () => checkRequest(ctx, caller, request));
  return changeBot(ctx, caller, request.botId, async (tx, _actor, former) => {
    const update = await readRequest(ctx, tx, caller, former, request);
    await store(ctx, tx, former, update);
    if (picture) await announce(tx, ...(await changeAvatar(tx, former.bot.user, picture)).events);
    const row = (await findBot(tx, caller.realmId, request.botId)) as BotRow;
    await announceChanges(tx, former, row);
    const owner = (await findUser(tx, caller.realmId, row.bot.user.botOwnerId as number)) as User;
    return { bot: row.bot, ownerEmail: owner.email };
  });
}

/** Checked before the picture is decoded, as decoding is slow. */
async function checkRequest(ctx: Context, caller: Caller, request: UpdateBotRequest): Promise<void> {
  const { user } = await loadActor(ctx.db, caller, ctx.clock.now());
  requireMember(user);
  await readRequest(ctx, ctx.db, caller, await accessBot(ctx.db, user, request.botId), request);
}

async function readRequest(
  ctx: Context,
  sql: Sql,
  caller: Caller,
  row: BotRow,
  request: UpdateBotRequest,
): Promise<BotUpdate> {
  return readBotUpdate(sql, await loadActor(sql, caller, ctx.clock.now()), row, request);
}

async function store(
  ctx: Context,
  tx: Transaction,
  { bot: { user } }: BotRow,
  { fullName, role, owner, rest, target }: BotUpdate,
): Promise<void> {
  const { realmId, id } = user;
  if (fullName !== null) await announce(tx, ...(await changeFullName(tx, user, fullName)));
  if (role !== null) await changeRole(tx, user, role, ctx.clock.now());
  if (Object.keys(rest).length > 0) await storeBotChange(tx, realmId, id, rest);
  if (target !== null) await storeWebhookTarget(tx, realmId, id, target);
  if (owner !== null) await changeBotOwner(ctx, tx, user, owner);
}

async function announceChanges(tx: Transaction, former: BotRow, row: BotRow): Promise<void> {
  const [before, after] = [publicBot(former.bot), publicBot(row.bot)];
  const changed = PROPERTIES.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const managerIds = changed.length > 0 ? await managerIdsOf(tx, row) : [];
  const { realmId } = row.bot.user;
  await announce(tx, ...changed.map((property) => botChanged(realmId, { bot: row.bot, property, managerIds })));
}

/** Requested changes of a bot; null: unchanged. */
interface BotUpdate {
  fullName: string | null;
  role: number | null;
  owner: User | null;
  rest: BotChange;
  target: WebhookTarget | null;
}

/** The requested changes; errors come in the order that clients expect. */
async function readBotUpdate(sql: Sql, actor: Actor, { bot }: BotRow, request: UpdateBotRequest): Promise<BotUpdate> {
  if (request.payloadUrl !== undefined) payloadUrlFromInput('service_payload_url', request.payloadUrl);
  const fullName = await readFullName(sql, bot.user, request.fullName);
  const role = readRole(actor.user, bot.user, request.role);
  const owner = await readOwner(sql, bot.user, request.ownerId);
  const rest = await readDefaults(sql, actor, request);
  const target = readTarget(bot, request);
  if (request.configData) {
    rest.configData = request.configData.values;
    checkConfigData({ ...bot.configData, ...rest.configData });
  }
  checkFileCount(request.files);
  return { fullName, role, owner, rest, target };
}

async function readFullName(sql: Sql, bot: User, text: string | undefined): Promise<string | null> {
  if (text === undefined) return null;
  const fullName = fullNameFromInput(text);
  if (fullName === bot.fullName) return null;
  await checkBotName(sql, bot.realmId, fullName, bot.id);
  return fullName;
}

function readRole(actor: User, bot: User, role: number | undefined): number | null {
  if (role === undefined || role === bot.role) return null;
  if (!(ROLE_VALUES as readonly number[]).includes(role)) throw new BadRequestError('Invalid role');
  requireMayChangeRole(actor, bot, role, false);
  return role;
}

async function readOwner(sql: Sql, bot: User, ownerId: number | undefined): Promise<User | null> {
  if (ownerId === undefined || ownerId === bot.botOwnerId) return null;
  const [owner] = await findUsersByIds(sql, bot.realmId, possibleIds([ownerId]));
  if (!owner) throw new BadRequestError('Failed to change owner, no such user');
  if (!owner.isActive) throw new BadRequestError('Failed to change owner, user is deactivated');
  if (owner.isBot) throw new BadRequestError("Failed to change owner, bots can't own other bots");
  return owner;
}

async function readDefaults(sql: Sql, actor: Actor, request: UpdateBotRequest): Promise<BotChange> {
  const { defaultSendingChannel: sending, defaultEventsChannel: events, hearsAllPublicChannels } = request;
  const change: BotChange = {};
  if (sending !== undefined) change.sendingChannelId = await defaultChannelFromInput(sql, actor, sending);
  if (events !== undefined) change.eventsChannelId = await defaultChannelFromInput(sql, actor, events);
  if (hearsAllPublicChannels !== undefined) change.hearsAllPublicChannels = hearsAllPublicChannels;
  return change;
}

/** SPEC-GAP: the target of bots without a webhook, which clients never request. */
function readTarget({ webhook }: BotRow['bot'], request: UpdateBotRequest): WebhookTarget | null {
  const { payloadUrl, interface: format = 1 } = request;
  if (payloadUrl === undefined) return null;
  checkInterface(format);
  if (!webhook) throw new BadRequestError('Invalid bot type');
  return { payloadUrl, interface: format };
}

/**
 * The picture uploaded with a bot; null: none. `check` refuses all other errors of the request first; decoding is slow, so it comes
 * before the transaction.
 */
export async function pictureOf(files: readonly Uint8Array[], check: () => Promise<unknown>): Promise<Avatar | null> {
  const [upload] = files;
  if (upload === undefined) return null;
  await check();
  return makeAvatar(upload);
}

import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { UpdateBotRequest, User } from '@parley/shared/proto';
import { ROLE_VALUES } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import { possibleIds } from '../possible-values';
import { fullNameFromInput } from '../users/full-name';
import { requireMayChangeRole } from '../users/permissions';
import { findUsersByIds } from '../users/users.sql';
import { checkConfigData, checkFileCount, checkInterface, payloadUrlFromInput } from './bot-input';
import type { BotChange, BotRow, WebhookTarget } from './bots.sql';
import { checkBotName } from './check-bot-name';
import { defaultChannelFromInput } from './default-channel';

/** What is to become of a bot; null: stays. */
export interface BotUpdate {
  fullName: string | null;
  role: number | null;
  owner: User | null;
  rest: BotChange;
  target: WebhookTarget | null;
}

/** The update that a request of the actor's describes; what is wrong with it is told in the order that clients know. */
export async function readBotUpdate(
  sql: Sql,
  actor: Actor,
  { bot }: BotRow,
  request: UpdateBotRequest,
): Promise<BotUpdate> {
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

/** SPEC-GAP: of bots that are called nowhere, which clients do not ask for. */
function readTarget({ webhook }: BotRow['bot'], request: UpdateBotRequest): WebhookTarget | null {
  const { payloadUrl, interface: format = 1 } = request;
  if (payloadUrl === undefined) return null;
  checkInterface(format);
  if (!webhook) throw new BadRequestError('Invalid bot type');
  return { payloadUrl, interface: format };
}

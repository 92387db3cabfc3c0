import { announce } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import { botCreated } from '@parley/shared/events';
import type { CreateBotRequest, NewBot, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { BOT_TYPES, ROLES } from '@parley/shared/values';
import { EMAIL_IS_UNIQUE, findUser, findUsersByEmails } from '../accounts/users.sql';
import { type Actor, loadActor } from '../actors/actor';
import { changeAvatar } from '../avatars/avatars';
import { requireMember } from '../base/guards';
import { isUniqueViolation } from '../base/unique-violation';
import { managerIdsOf } from '../bot-owners/bot-manager-ids';
import { type BotChange, type BotRow, findBot, storeBotChange } from '../bot-owners/bots.sql';
import { mayCreateBot } from '../bot-owners/permissions';
import type { Context } from '../context';
import { loadRealmGroupSettings } from '../group-settings/complete-settings';
import { changeAccounts } from '../people/change-accounts';
import { fullNameFromInput } from '../people/full-name';
import { openAccount } from '../users/open-account';
import {
  botEmailFromInput,
  checkBotName,
  checkBotType,
  checkConfigData,
  checkFileCount,
  checkInterface,
  defaultChannelFromInput,
  payloadUrlFromInput,
  refuseEmbedded,
  refuseIntegration,
} from './bot-input';
import { pictureOf } from './update-bot';

/** Creates a bot owned by the caller, without channels; returns its key. */
export async function createBot(ctx: Context, caller: Caller, request: CreateBotRequest): Promise<NewBot> {
  const { realmId } = caller;
  const picture = await pictureOf(request.files, () => readRequest(ctx, ctx.db, caller, request));
  try {
    return await changeAccounts(ctx, caller, async (tx) => {
      const wanted = await readRequest(ctx, tx, caller, request);
      const { botId, apiKey } = await store(ctx, tx, caller, wanted);
      const user = (await findUser(tx, realmId, botId)) as User;
      const pictureEvents = picture ? (await changeAvatar(tx, user, picture)).events : [];
      const row = (await findBot(tx, realmId, botId)) as BotRow;
      const created = botCreated(realmId, { bot: row.bot, managerIds: await managerIdsOf(tx, row) });
      await announce(tx, created, ...pictureEvents);
      return { bot: row.bot, apiKey };
    });
  } catch (error) {
    throw EMAIL_IS_UNIQUE.some((index) => isUniqueViolation(error, index)) ? usernameTaken() : error;
  }
}

async function readRequest(ctx: Context, sql: Sql, caller: Caller, request: CreateBotRequest): Promise<WantedBot> {
  const actor = await loadActor(sql, caller, ctx.clock.now());
  requireMember(actor.user);
  return readNewBot(sql, actor, request);
}

async function store(
  ctx: Context,
  tx: Transaction,
  { realmId, userId: ownerId }: Caller,
  { fullName, email, type, service, rest }: WantedBot,
): Promise<{ botId: number; apiKey: string }> {
  const { newAccount, events } = await openAccount(tx, {
    realmId,
    email,
    fullName,
    role: ROLES.member,
    bot: { type, ownerId, service, keySecret: ctx.config.BOT_KEY_SECRET },
    passwordHash: null,
    createdAtMs: ctx.clock.now(),
  });
  await announce(tx, ...events);
  const { userId: botId, apiKey } = newAccount;
  await storeBotChange(tx, realmId, botId, rest);
  return { botId, apiKey };
}

interface WantedBot {
  fullName: string;
  email: string;
  type: number;
  service: { payloadUrl: string; interface: number } | null;
  rest: BotChange;
}

/** The requested bot; errors come in the order that clients expect. */
async function readNewBot(sql: Sql, actor: Actor, request: CreateBotRequest): Promise<WantedBot> {
  const { botType: type, interface: format } = request;
  const payloadUrl = payloadUrlFromInput('payload_url', request.payloadUrl);
  const { fullName, email } = await readNames(sql, actor, request);
  const rights = await loadRealmGroupSettings(sql, actor.user.realmId);
  if (!mayCreateBot(actor, rights, type)) throw new InsufficientPermissionError();
  checkBotType(type);
  checkInterface(format);
  checkFileCount(request.files);
  const sendingChannelId = await defaultChannelFromInput(sql, actor, request.defaultSendingChannel);
  const eventsChannelId = await defaultChannelFromInput(sql, actor, request.defaultEventsChannel);
  refuseIntegration(request);
  checkConfigData(request.configData);
  const service = type === BOT_TYPES.outgoingWebhook ? { payloadUrl, interface: format } : null;
  const { hearsAllPublicChannels, configData } = request;
  return {
    fullName,
    email,
    type,
    service,
    rest: { sendingChannelId, eventsChannelId, hearsAllPublicChannels, configData },
  };
}

async function readNames(sql: Sql, { user: { realmId } }: Actor, request: CreateBotRequest) {
  const fullName = fullNameFromInput(request.fullName);
  const email = botEmailFromInput(request);
  refuseEmbedded(request.botType);
  if ((await findUsersByEmails(sql, realmId, [email])).length > 0) throw usernameTaken();
  await checkBotName(sql, realmId, fullName, null);
  return { fullName, email };
}

function usernameTaken(): BadRequestError {
  return new BadRequestError(REFUSAL.bots.usernameTaken);
}

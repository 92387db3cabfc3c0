import type { Sql } from '@parley/shared/db';
import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import type { CreateBotRequest } from '@parley/shared/proto';
import { BOT_TYPES } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import { loadRealmGroupSettings } from '../group-settings/load-realm-group-settings';
import { fullNameFromInput } from '../users/full-name';
import { findUsersByEmails } from '../users/users.sql';
import {
  botEmailFromInput,
  checkBotType,
  checkConfigData,
  checkFileCount,
  checkInterface,
  payloadUrlFromInput,
  refuseEmbedded,
  refuseIntegration,
} from './bot-input';
import type { BotChange } from './bots.sql';
import { checkBotName } from './check-bot-name';
import { defaultChannelFromInput } from './default-channel';
import { mayCreateBot } from './permissions';

export interface WantedBot {
  fullName: string;
  email: string;
  type: number;
  service: { payloadUrl: string; interface: number } | null;
  rest: BotChange;
}

/** The bot that a request of the actor's describes; what is wrong with it is told in the order that clients know. */
export async function readNewBot(sql: Sql, actor: Actor, request: CreateBotRequest): Promise<WantedBot> {
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

export function usernameTaken(): BadRequestError {
  return new BadRequestError('Username already in use');
}

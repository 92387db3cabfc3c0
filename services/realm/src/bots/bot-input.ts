import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { CreateBotRequest } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import {
  BOT_TYPES,
  codePointLength,
  findForbiddenCharacter,
  isWebUrl,
  WEBHOOK_INTERFACES,
} from '@parley/shared/values';
import { emailFromInput } from '../accounts/email-address';
import type { Actor } from '../actors/actor';
import { nameKey } from '../base/name-key';
import { possibleTexts } from '../base/possible-values';
import { isActiveNameTaken } from '../bot-owners/bots.sql';
import { viewerOf } from '../channel-access/access-channel';
import { loadChannelsByNames } from '../channel-access/channels.sql';
import { hasContentAccess } from '../channel-access/permissions';
import { listSubscriptions } from '../subscriptions/subscriptions.sql';

const MAX_CONFIG_LENGTH = 10_000;
const MAX_URL_LENGTH = 2_048;
const TYPES: readonly number[] = Object.values(BOT_TYPES);

/** The address of a bot with that short name. */
export function botEmailFromInput({ shortName, domain }: Pick<CreateBotRequest, 'shortName' | 'domain'>): string {
  if (shortName.trim() === '') throw badName();
  try {
    return emailFromInput(`${shortName.trim()}-bot@${domain}`);
  } catch (error) {
    throw error instanceof BadRequestError ? badName() : error;
  }
}

function badName(): BadRequestError {
  return new BadRequestError(REFUSAL.bots.badName);
}

/** Refuses embedded bots: this server has none. */
export function refuseEmbedded(botType: number): void {
  if (botType === BOT_TYPES.embedded) throw new BadRequestError('Embedded bots are not enabled.');
}

/** The address that an outgoing webhook bot calls; empty: none yet. */
export function payloadUrlFromInput(name: string, text: string): string {
  const isWebAddress = text.length <= MAX_URL_LENGTH && findForbiddenCharacter(text) === null && isWebUrl(text);
  if (text !== '' && !isWebAddress) throw new BadRequestError(REFUSAL.requests.notUrl(name));
  return text;
}

export function checkBotType(botType: number): void {
  if (!TYPES.includes(botType)) throw new BadRequestError('Invalid bot type');
}

export function checkInterface(format: number): void {
  if (!WEBHOOK_INTERFACES.includes(format)) throw new BadRequestError('Invalid interface type');
}

export function checkFileCount(files: readonly Uint8Array[]): void {
  if (files.length > 1) throw new BadRequestError('You may only upload one file at a time');
}

/** Refuses bots of named integrations: this server has none. */
export function refuseIntegration({ botType, serviceName }: Pick<CreateBotRequest, 'botType' | 'serviceName'>): void {
  if (botType !== BOT_TYPES.incomingWebhook || !serviceName) return;
  throw new BadRequestError(`Invalid integration '${serviceName}'.`);
}

/** Refuses configurations that are too large or cannot be stored. */
export function checkConfigData(configData: Readonly<Record<string, string>>): void {
  const text = Object.entries(configData).flat().join('');
  if (codePointLength(text) <= MAX_CONFIG_LENGTH && !text.includes('\0')) return;
  throw new BadRequestError('Invalid configuration data!');
}

/** Refuses a bot's name that another active account has. */
export async function checkBotName(sql: Sql, realmId: number, fullName: string, botId: number | null): Promise<void> {
  const name = { fullName, fullNameKey: nameKey(fullName), exceptId: botId };
  if (await isActiveNameTaken(sql, realmId, name)) throw new BadRequestError(REFUSAL.bots.nameTaken);
}

/** The id of the named channel; null for an empty name. The actor must be able to read it. */
export async function defaultChannelFromInput(sql: Sql, actor: Actor, name: string): Promise<number | null> {
  if (name === '') return null;
  const { id: userId, realmId } = actor.user;
  const [channel] = await loadChannelsByNames(sql, realmId, possibleTexts([name.trim()]).map(nameKey));
  if (!channel || channel.isArchived) throw invalid(name);
  const [subscription] = await listSubscriptions(sql, realmId, [channel.id], [userId]);
  const viewer = viewerOf(actor, channel, subscription?.isActive === true);
  if (!hasContentAccess(channel, viewer)) throw invalid(name);
  return channel.id;
}

function invalid(name: string): BadRequestError {
  return new BadRequestError(`Invalid channel name '${name}'`);
}

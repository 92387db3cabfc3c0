import type { Bot, CreateBotRequest, NewBot, UpdateBotRequest, UpdatedBot, User } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { createBot } from '../src/bots/create-bot';
import { updateBot } from '../src/bots/update-bot';
import type { Context } from '../src/context';
import { freshName, type Person } from './examples';

/** Creates a bot with the endpoint's defaults. */
export function makeBot(ctx: Context, owner: Person, wanted: Partial<CreateBotRequest> = {}): Promise<NewBot> {
  const name = freshName('bot');
  return createBot(ctx, owner, {
    fullName: name,
    shortName: name,
    domain: 'bots.invalid',
    botType: 1,
    payloadUrl: '',
    interface: 1,
    configData: {},
    defaultSendingChannel: '',
    defaultEventsChannel: '',
    hearsAllPublicChannels: false,
    files: [],
    ...wanted,
  });
}

/** The bot as a caller. */
export function asCaller(owner: Person, { bot, apiKey }: NewBot): Person {
  const { realmId, id: userId, email } = userOf(bot as Bot);
  return { ...newCall(), realmId, userId, subdomain: owner.subdomain, email, apiKey };
}

export const idOf = ({ bot }: NewBot): number => userOf(bot as Bot).id;

const userOf = ({ user }: Bot): User => user as User;

/** Changes a bot with the endpoint's defaults. */
export function changeBot(
  ctx: Context,
  caller: Person,
  botId: number,
  wanted: Partial<UpdateBotRequest>,
): Promise<UpdatedBot> {
  return updateBot(ctx, caller, { botId, configData: null, files: [], ...wanted });
}

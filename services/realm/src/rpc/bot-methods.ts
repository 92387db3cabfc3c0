import { byCaller, type Implementation } from '@parley/shared/rpc';
import { getBotStorage, putBotStorage, removeBotStorage } from '../bots/bot-storage';
import { deactivateBot, getBotApiKey, getOwnBotDefaults, listOwnBots, regenerateBotApiKey } from '../bots/bots';
import { createBot } from '../bots/create-bot';
import { updateBot } from '../bots/update-bot';
import type { Context } from '../context';
import { getBotSigningSecret, getWebhookBots, getWebhookSecret } from '../facts/outgoing-webhooks';

/** Bots, their storage, and their outgoing webhooks. */
export function botMethods(ctx: Context) {
  return {
    createBot: byCaller((caller, request) => createBot(ctx, caller, request)),
    listOwnBots: byCaller((caller) => listOwnBots(ctx, caller)),
    getOwnBotDefaults: byCaller((caller) => getOwnBotDefaults(ctx, caller)),
    updateBot: byCaller((caller, request) => updateBot(ctx, caller, request)),
    deactivateBot: byCaller((caller, request) => deactivateBot(ctx, caller, request)),
    getBotApiKey: byCaller((caller, request) => getBotApiKey(ctx, caller, request)),
    regenerateBotApiKey: byCaller((caller, request) => regenerateBotApiKey(ctx, caller, request)),
    putBotStorage: byCaller((caller, request) => putBotStorage(ctx, caller, request)),
    getBotStorage: byCaller((caller, request) => getBotStorage(ctx, caller, request)),
    removeBotStorage: byCaller((caller, request) => removeBotStorage(ctx, caller, request)),
    getBotSigningSecret: byCaller((caller, request) => getBotSigningSecret(ctx, caller, request)),
    getWebhookBots: (_call, request) => getWebhookBots(ctx, request),
    getWebhookSecret: (_call, request) => getWebhookSecret(ctx, request),
  } satisfies Partial<Implementation<'realm'>>;
}

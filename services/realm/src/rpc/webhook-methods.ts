import { byCaller, type Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { getBotSigningSecret, getWebhookBots, getWebhookSecret } from '../facts/outgoing-webhooks';

type Methods = 'getBotSigningSecret' | 'getWebhookBots' | 'getWebhookSecret';

/** Methods for calls of outgoing webhook bots. */
export function webhookMethods(ctx: Context): Pick<Implementation<'realm'>, Methods> {
  return {
    getBotSigningSecret: byCaller((caller, request) => getBotSigningSecret(ctx, caller, request)),
    getWebhookBots: (_call, request) => getWebhookBots(ctx, request),
    getWebhookSecret: (_call, request) => getWebhookSecret(ctx, request),
  };
}

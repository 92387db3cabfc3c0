import type { GetWebhookBotsRequest, WebhookBots } from '@parley/shared/proto';
import type { Context } from '../context';
import { findWebhookBots } from './outgoing-webhooks.sql';
import { signingSecret } from './signing-secret';

/** The outgoing webhook bots that a message calls, with all that a call of them takes. For the scheduler. */
export async function getWebhookBots(
  { db, config }: Context,
  { realmId, ...called }: GetWebhookBotsRequest,
): Promise<WebhookBots> {
  const rows = await findWebhookBots(db, realmId, called);
  return { bots: rows.map((row) => ({ ...row, signingSecret: signingSecret(config.BOT_KEY_SECRET, row) })) };
}

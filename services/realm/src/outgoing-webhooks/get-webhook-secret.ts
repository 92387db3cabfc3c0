import { BadRequestError } from '@parley/shared/errors';
import type { GetWebhookSecretRequest, WebhookSecret } from '@parley/shared/proto';
import type { Context } from '../context';
import { possibleTexts } from '../possible-values';
import { getRealm } from '../realms/get-realm';
import { findUsersByAddresses } from '../users/users.sql';
import { findWebhookBots } from './outgoing-webhooks.sql';
import { signingSecret } from './signing-secret';

/** What the receiver of a bot's calls knows them by. For the operator's command. */
export async function getWebhookSecret(
  ctx: Context,
  { subdomain, botEmail }: GetWebhookSecretRequest,
): Promise<WebhookSecret> {
  const { id: realmId } = await getRealm(ctx, { subdomain });
  const users = await findUsersByAddresses(ctx.db, realmId, possibleTexts([botEmail.trim()]));
  const namedIds = users.map(({ id }) => id);
  const [row] = await findWebhookBots(ctx.db, realmId, { namedIds, groupMemberIds: [] });
  if (!row) throw new BadRequestError('No such outgoing webhook bot');
  return { botId: row.bot.id, signingSecret: signingSecret(ctx.config.BOT_KEY_SECRET, row) };
}

import type { OutgoingWebhook, User, WebhookBot } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import type { Delivery } from './delivery';

/** A bot with all that a call of it takes. */
export type CalledBot = WebhookBot & { bot: User; webhook: OutgoingWebhook };

/** As it is now; null when it was deactivated since. */
export async function findCalledBot(
  { services }: Pick<Context, 'services'>,
  { realmId, botId }: Delivery,
): Promise<CalledBot | null> {
  const { bots } = await services.realm.getWebhookBots(newCall(), { realmId, namedIds: [botId], groupMemberIds: [] });
  return (bots[0] as CalledBot | undefined) ?? null;
}

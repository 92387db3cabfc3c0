import type { JobKey } from '@parley/shared/jobs';
import type { OutgoingWebhook, User, WebhookBot } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import type { Delivery } from './delivery.sql';

export const JOB_KIND = 'webhook';

/** Concurrent calls of one bot in all replicas, so that a slow bot does not delay others. */
export const CALLS_PER_BOT = 4;

/** The job that makes a delivery. */
export function deliveryJob(realmId: number, id: number): JobKey {
  return { realmId, kind: JOB_KIND, id };
}

/** The id by which receivers recognize a retried delivery. */
export function deliveryName({ realmId, id }: Pick<Delivery, 'realmId' | 'id'>): string {
  return `msg_${realmId}_${id}`;
}

/** A bot with the data needed for calling it. */
export type CalledBot = WebhookBot & { bot: User; webhook: OutgoingWebhook };

/** The bot's present data; null when it was deactivated. */
export async function findCalledBot(
  { services }: Pick<Context, 'services'>,
  { realmId, botId }: Delivery,
): Promise<CalledBot | null> {
  const { bots } = await services.realm.getWebhookBots(newCall(), { realmId, namedIds: [botId], groupMemberIds: [] });
  return (bots[0] as CalledBot | undefined) ?? null;
}

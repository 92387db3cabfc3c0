import type { JobKey } from '@parley/shared/jobs';
import type { OutgoingWebhook, User, WebhookBot } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import type { Delivery } from './delivery.sql';

export const JOB_KIND = 'webhook';

/** So many calls of one bot are under way at once, in all replicas: a slow bot holds up nobody else. */
export const CALLS_PER_BOT = 4;

/** The job that makes a delivery. */
export function deliveryJob(realmId: number, id: number): JobKey {
  return { realmId, kind: JOB_KIND, id };
}

/** By what a receiver knows a delivery again, of which it gets several calls when it does not answer. */
export function deliveryName({ realmId, id }: Pick<Delivery, 'realmId' | 'id'>): string {
  return `msg_${realmId}_${id}`;
}

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

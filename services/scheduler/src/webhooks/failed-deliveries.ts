import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { actPerformed } from '@parley/shared/events';
import type {
  ListWebhookDeliveriesRequest,
  ReplayWebhookDeliveriesRequest,
  ReplayWebhookDeliveriesResponse,
  WebhookDeliveries,
} from '@parley/shared/proto';
import { type Call, newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { beginWaiting } from './call-bots';
import { lockBots, revive, selectBotsOfDead, selectDead } from './delivery.sql';

const MAX_LISTED = 1_000;

/** Deliveries of an organization's bots that failed within the last month. For the operator's command. */
export async function listWebhookDeliveries(
  { db, services }: Context,
  { subdomain }: ListWebhookDeliveriesRequest,
): Promise<WebhookDeliveries> {
  const { id: realmId } = await services.realm.getRealm(newCall(), { subdomain });
  return { deliveries: await selectDead(db, realmId, MAX_LISTED) };
}

/** Restarts failed deliveries: of one message, or all. For the operator's command. */
export async function replayWebhookDeliveries(
  ctx: Context,
  call: Call,
  { subdomain, deliveryId }: ReplayWebhookDeliveriesRequest,
): Promise<ReplayWebhookDeliveriesResponse> {
  const { id: realmId } = await ctx.services.realm.getRealm(call, { subdomain });
  const id = deliveryId ?? null;
  const replayed = await ctx.db.transaction(async (tx) => {
    const botIds = await selectBotsOfDead(tx, realmId, id);
    await lockBots(tx, realmId, botIds);
    const count = await revive(tx, realmId, botIds, id);
    for (const botId of botIds) await beginWaiting(tx, { realmId, botId }, ctx.clock.now());
    if (count === 0) return count;
    const act = { name: 'replay-webhook-deliveries', actor: { kind: 'operator' as const }, requestId: call.requestId };
    // One audit entry for each bot that is called again.
    await announce(
      tx,
      actPerformed(realmId, { ...act, kind: 'user', ids: botIds, after: { deliveries: id ?? 'all' } }),
    );
    return count;
  });
  if (id !== null && replayed === 0) throw new BadRequestError('No such failed delivery');
  ctx.dueJobs.webhooks.wake();
  return { replayed };
}

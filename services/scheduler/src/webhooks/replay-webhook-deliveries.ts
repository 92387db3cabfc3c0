import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { actPerformed } from '@parley/shared/events';
import type { ReplayWebhookDeliveriesRequest, ReplayWebhookDeliveriesResponse } from '@parley/shared/proto';
import type { Call } from '@parley/shared/rpc';
import type { Context } from '../context';
import { beginWaiting } from './begin-waiting';
import { lockBots, revive, selectBotsOfDead } from './delivery.sql';

/** Tells bots anew of what they could not be told: of one message, or of all. For the operator's command. */
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
    // An entry for each bot that is called again.
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

import type { ConsumedEvent } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { PublicError } from '@parley/shared/errors';
import type { WebhookBotsCalled } from '@parley/shared/events';
import { putDueJob } from '@parley/shared/jobs';
import type { Message, User } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { sendingCaller } from '../base/sending';
import type { Context } from '../context';
import { CALLS_PER_BOT, deliveryJob } from './delivery';
import { insertDelivery, lockBots, type NewDelivery, takeWaiting } from './delivery.sql';

/** Queues a delivery for each bot that a message calls, once for each message. */
export async function callBots(ctx: Context, events: readonly ConsumedEvent<WebhookBotsCalled>[]): Promise<void> {
  const realmId = events[0]?.realmId;
  const deliveries = (await Promise.all(events.map((event) => deliveriesOf(ctx, event)))).flat();
  if (realmId === undefined || deliveries.length === 0) return;
  const botIds = [...new Set(deliveries.map(({ botId }) => botId))];
  await ctx.db.transaction(async (tx) => {
    await lockBots(tx, realmId, botIds);
    for (const delivery of deliveries) await insertDelivery(tx, realmId, delivery);
    for (const botId of botIds) await beginWaiting(tx, { realmId, botId }, ctx.clock.now());
  });
  ctx.dueJobs.webhooks.wake();
}

async function deliveriesOf(
  ctx: Context,
  { realmId, payload }: ConsumedEvent<WebhookBotsCalled>,
): Promise<NewDelivery[]> {
  const { botIds, groupMemberIds, channelId, senderId, messageId, messageHref } = payload;
  const { bots } = await ctx.services.realm.getWebhookBots(newCall(), {
    realmId,
    namedIds: botIds,
    groupMemberIds,
    ...(channelId !== undefined && { channelId }),
  });
  if (bots.length === 0) return [];
  const message = await findMessage(ctx, { realmId, senderId, messageId });
  if (message === null) return [];
  return bots.map(({ bot }) => ({ botId: (bot as User).id, message, messageHref }));
}

interface MessageOf {
  realmId: number;
  senderId: number;
  messageId: number;
}

/** The message as its sender sees it; null, and no bot is called, if the sender is deactivated or the message deleted. */
async function findMessage(ctx: Context, { realmId, senderId, messageId }: MessageOf): Promise<Message | null> {
  try {
    const { edits: _, ...message } = await ctx.services.messages.getMessage(sendingCaller(realmId, senderId), {
      messageId,
    });
    return { ...message, flags: [] };
  } catch (error) {
    if (error instanceof PublicError && error.httpStatus < 500) return null;
    throw error;
  }
}

/** Starts waiting deliveries of a locked bot, up to its limit. */
export async function beginWaiting(
  tx: Transaction,
  { realmId, botId }: { realmId: number; botId: number },
  nowMs: number,
): Promise<void> {
  for (const id of await takeWaiting(tx, realmId, botId, CALLS_PER_BOT)) {
    await putDueJob(tx, deliveryJob(realmId, id), nowMs);
  }
}

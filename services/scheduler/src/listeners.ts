import { type ConsumedEvent, type Consumption, consume, type Frequent } from '@parley/shared/bus';
import {
  apiKeyRevoked,
  type ConsumedKind,
  channelVanished,
  type EventDeclaration,
  flagsChanged,
  messageSent,
  messagesDeleted,
  mutedUsersChanged,
  subscriptionChanged,
  userDeactivated,
  webhookBotsCalled,
} from '@parley/shared/events';
import type { Context } from './context';
import { MAX_RECORDS, NEWS_HOURS, notifier } from './notifications/notify-people';
import { pushedKinds } from './push/push';
import {
  followDeactivations,
  followDeletions,
  followFlags,
  followMutes,
  followRevokedKeys,
  followSubscriptions,
  followVanishedChannels,
} from './push/take-back';
import { callBots } from './webhooks/call-bots';

/** Those of read messages. */
const READS: Frequent = { atOnce: 4, newsHours: NEWS_HOURS, notesHandled: true };

type Action<Payload> = (ctx: Context, events: ConsumedEvent<Payload>[]) => Promise<void>;

/** Subscribes each domain event to its action, until the returned function is called. */
export function listen(ctx: Context): () => Promise<void> {
  const { bus, db, log } = ctx;
  const common = { bus, db, log, service: 'scheduler' };
  const follow = <Payload>(event: EventDeclaration<ConsumedKind, Payload>, action: Action<Payload>): Consumption =>
    consume({ ...common, event, handle: (events) => action(ctx, events) });
  const consumptions = [
    follow(webhookBotsCalled, callBots),
    follow(apiKeyRevoked, followRevokedKeys),
    follow(userDeactivated, followDeactivations),
    consume({
      ...{ ...common, event: messageSent, handle: notifier(ctx) },
      frequent: { atOnce: MAX_RECORDS, newsHours: NEWS_HOURS, notesHandled: true },
    }),
  ];
  // These say only what changes notifications that devices show.
  if (pushedKinds(ctx.config).length > 0) {
    consumptions.push(
      // In any order and repeatedly: they only have notifications compared with messages.
      consume({ ...common, event: flagsChanged, handle: (events) => followFlags(ctx, events), frequent: READS }),
      follow(messagesDeleted, followDeletions),
      follow(subscriptionChanged, followSubscriptions),
      follow(channelVanished, followVanishedChannels),
      follow(mutedUsersChanged, followMutes),
    );
  }
  return async () => void (await Promise.all(consumptions.map((consumption) => consumption.stop())));
}

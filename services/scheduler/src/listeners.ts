import { type ConsumedEvent, type Consumption, consume, type Frequent } from '@parley/shared/bus';
import {
  apiKeyRevoked,
  type ConsumedKind,
  channelVanished,
  type EventDeclaration,
  flagsChanged,
  mentionsChanged,
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
  followMentions,
  followMutes,
  followRevokedKeys,
  followSubscriptions,
  followVanishedChannels,
} from './push/take-back';
import { callBots } from './webhooks/call-bots';

/** Those of read messages. */
const READS: Frequent = { atOnce: 4, newsHours: NEWS_HOURS, notesHandled: true };

/** Those of new messages, and of edits. */
const NEWS: Frequent = { atOnce: MAX_RECORDS, newsHours: NEWS_HOURS, notesHandled: true };

type Action<Payload> = (ctx: Context, events: ConsumedEvent<Payload>[]) => Promise<void>;

/** Subscribes each domain event to its action, until the returned function is called. */
export function listen(ctx: Context): () => Promise<void> {
  const { bus, db, log } = ctx;
  const common = { bus, db, log, service: 'scheduler' };
  const follow = <Payload>(event: EventDeclaration<ConsumedKind, Payload>, action: Action<Payload>): Consumption =>
    consume({ ...common, event, handle: (events) => action(ctx, events) });
  const notify = notifier(ctx);
  const notifyOfEdits = notifier(ctx, mentionsChanged);
  const isPushing = pushedKinds(ctx.config).length > 0;
  const consumptions = [
    follow(webhookBotsCalled, callBots),
    follow(apiKeyRevoked, followRevokedKeys),
    follow(userDeactivated, followDeactivations),
    consume({ ...common, event: messageSent, handle: (events) => notify(events), frequent: NEWS }),
    consume({
      ...{ ...common, event: mentionsChanged, frequent: NEWS },
      async handle(events) {
        await notifyOfEdits(events);
        if (isPushing) await followMentions(ctx, events);
      },
    }),
  ];
  // These say only what changes notifications that devices show.
  if (isPushing) {
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

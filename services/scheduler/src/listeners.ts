import { consume } from '@parley/shared/bus';
import { messageSent, webhookBotsCalled } from '@parley/shared/events';
import type { Context } from './context';
import { NEWS_HOURS, notifier } from './notifications/notify-people';
import { callBots } from './webhooks/call-bots';

/** Records of new messages that a replica handles at once. */
const MESSAGES_AT_ONCE = 16;

/** Subscribes each domain event to its action, until the returned function is called. */
export function listen(ctx: Context): () => Promise<void> {
  const { bus, db, log } = ctx;
  const common = { bus, db, log, service: 'scheduler' };
  const handle = (events: Parameters<typeof callBots>[1]) => callBots(ctx, events);
  const consumptions = [
    consume({ ...common, event: webhookBotsCalled, handle }),
    consume({
      ...{ ...common, event: messageSent, handle: notifier(ctx) },
      frequent: { atOnce: MESSAGES_AT_ONCE, newsHours: NEWS_HOURS, notesHandled: true },
    }),
  ];
  return async () => void (await Promise.all(consumptions.map((consumption) => consumption.stop())));
}

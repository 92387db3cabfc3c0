import { consume } from '@parley/shared/bus';
import { webhookBotsCalled } from '@parley/shared/events';
import type { Context } from './context';
import { callBots } from './webhooks/call-bots';

/** Subscribes each domain event to its action, until the returned function is called. */
export function listen(ctx: Context): () => Promise<void> {
  const { bus, db, log } = ctx;
  const handle = (events: Parameters<typeof callBots>[1]) => callBots(ctx, events);
  const consumption = consume({ bus, db, log, service: 'scheduler', event: webhookBotsCalled, handle });
  return () => consumption.stop();
}

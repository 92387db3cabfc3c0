import { type Consumption, consume } from '@parley/shared/bus';
import { noticeAnnounced } from '@parley/shared/events';
import type { Context } from './context';
import { sendNotices } from './notices/send-notices';

/** Every domain event that this service acts on, and its action, until the returned function is called. */
export function listen(ctx: Context): () => Promise<void> {
  const { bus, log } = ctx;
  const consumptions: Consumption[] = [
    consume({ bus, log, service: 'messages', event: noticeAnnounced, handle: (events) => sendNotices(ctx, events) }),
  ];
  return async () => {
    await Promise.all(consumptions.map((consumption) => consumption.stop()));
  };
}

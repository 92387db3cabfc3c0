import type { domainEvents, EventKind } from '@parley/shared/events';
import type { Context } from './context';
import type { HeldRecord } from './log/log-record';

type PayloadOf<Kind extends EventKind> = Parameters<(typeof domainEvents)[Kind]>[1];

/** What this service itself does when something has happened; `null` where it only hands on the public event. */
const listeners: {
  [Kind in EventKind]: ((ctx: Context, realmId: number, payload: PayloadOf<Kind>) => void) | null;
} = {
  'message.sent': null,
  'subscription.changed': ({ subscribers }, realmId, change) => subscribers.advance(realmId, change),
};

/** Called with every record of the log, in order, before anybody gets its public events. */
export function listen(ctx: Context, record: HeldRecord): void {
  const listener = listeners[record.kind] as ((ctx: Context, realmId: number, payload: unknown) => void) | null;
  if (listener === null) return;
  for (const payload of record.payloads) listener(ctx, record.realmId, payload);
}

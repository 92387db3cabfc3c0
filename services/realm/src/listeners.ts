import { type Consumption, consume } from '@parley/shared/bus';
import { directConversationBegun } from '@parley/shared/events';
import type { Context } from './context';
import { recordDirectContacts } from './direct-contacts/record-direct-contacts';

/** Every domain event that this service acts on, and its action, until the returned function is called. */
export function listen(ctx: Context): () => Promise<void> {
  const { bus, db, log } = ctx;
  const handle = (events: Parameters<typeof recordDirectContacts>[1]) => recordDirectContacts(ctx, events);
  const consumptions: Consumption[] = [
    consume({ bus, db, log, service: 'realm', event: directConversationBegun, handle }),
  ];
  return async () => {
    await Promise.all(consumptions.map((consumption) => consumption.stop()));
  };
}

import type { OutboxState } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { command } from './command';

export const outboxStatus = command({
  services: ['realm', 'messages', 'invites', 'scheduler'],
  summary: 'shows, for each service with a database, how many events wait to be published, and for how long',
  options: {},
  async run({ realm, messages, invites, scheduler }) {
    const services = { realm, messages, invites, scheduler };
    const states = Object.entries(services).map(async ([service, client]) =>
      publicState(service, await client.getOutboxLag(newCall(), {})),
    );
    return { services: await Promise.all(states) };
  },
});

function publicState(service: string, { waitingEvents, oldestWaitingMs, rowsToRefill }: OutboxState) {
  return {
    service,
    waiting_events: waitingEvents,
    oldest_waiting_ms: Math.round(oldestWaitingMs),
    rows_to_refill: rowsToRefill,
  };
}

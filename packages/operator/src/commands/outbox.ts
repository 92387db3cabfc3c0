import type { OutboxState } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { command, OWNING } from '../command/command';
import { decision, oneOf } from '../command/options';

const REFILL_TIMEOUT_MS = 120_000;

export const outboxStatus = command({
  services: OWNING,
  summary: 'shows, for each service with a database, how many events wait to be published, and for how long',
  options: {},
  async run(clients) {
    const states = OWNING.map(async (service) =>
      publicState(service, await clients[service].getOutboxLag(newCall(), {})),
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

/** For events that a service set aside, and for deleted consumers; a lost log is refilled automatically. */
export const outboxRefill = command({
  services: OWNING,
  summary: 'publishes the kept events once more for the services that act on them; handled events are skipped',
  options: { service: oneOf(OWNING).optional(), 'dry-run': decision().optional() },
  examples: ['', '--service messages', '--dry-run yes'],
  async run(clients, { service: only, 'dry-run': isDry = false }) {
    const refills = OWNING.filter((service) => service === (only ?? service)).map(async (service) => {
      const { events } = await clients[service].refillLog(newCall(undefined, REFILL_TIMEOUT_MS), { isDry });
      return { service, events };
    });
    return { is_dry_run: isDry, services: await Promise.all(refills) };
  },
});

import type { QueueSummary } from '@parley/shared/proto';
import { command } from '../command/command';
import { asCaller, operatedUser } from '../command/operated';
import { realm, text } from '../command/options';
import { timeOf } from '../command/present';

const email = text('EMAIL');

export const queueList = command({
  services: ['realm', 'events'],
  summary: 'lists the event queues of an account, the one used last first',
  options: { realm, email },
  async run({ realm: service, events }, named) {
    const { user } = await operatedUser(service, named);
    const { queues } = await events.listQueues(asCaller(user), {});
    return { queues: queues.map(publicQueue) };
  },
});

function publicQueue({ queueId, clientName, hasEventTypes, eventTypes, lastUsedAtMs, expiresAtMs }: QueueSummary) {
  return {
    queue_id: queueId,
    client: clientName,
    event_types: hasEventTypes ? eventTypes.join(' ') : 'all',
    last_used_at: timeOf(lastUsedAtMs),
    expires_at: timeOf(expiresAtMs),
  };
}

export const queueEnd = command({
  services: ['realm', 'events'],
  summary: 'ends one event queue of an account, or all: the clients register anew',
  options: { realm, email, id: text('QUEUE').optional() },
  examples: ['--realm acme --email bo@acme.org'],
  async run({ realm: service, events }, { id, ...named }) {
    const { user } = await operatedUser(service, named);
    const caller = asCaller(user);
    const { queues } = id === undefined ? await events.listQueues(caller, {}) : { queues: [{ queueId: id }] };
    for (const { queueId } of queues) await events.deleteQueue(caller, { queueId });
    return { ended: queues.length };
  },
});

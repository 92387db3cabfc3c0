import { type Bus, connectBus, epochOf, readOutboxLag } from '@parley/shared/bus';
import { silentLogger } from '@parley/shared/service';
import { SCHEMAS } from '../../src/network/replica';
import type { TestNetwork } from '../../src/network/test-network';
import type { Traffic } from '../../src/traffic/traffic';

const LOG = 'EVENTS';

/** Why nothing new reaches the followers: the state of everything between a change and its event, a line each. */
export async function describeStandstill(network: TestNetwork, traffic: Traffic, natsUrl: string): Promise<string> {
  const parts = [
    describeOutboxes(network),
    withLog(natsUrl, describeLog),
    withLog(natsUrl, describeReaders),
    withLog(natsUrl, describeQueues),
  ];
  const lines = (await Promise.allSettled(parts)).flatMap((part) =>
    part.status === 'fulfilled' ? part.value : [`unknown: ${part.reason}`],
  );
  return ['nothing new reaches everybody', ...lines, ...describeTraffic(traffic)].join('\n  ');
}

async function withLog(url: string, describe: (bus: Bus) => Promise<string[]>): Promise<string[]> {
  const any = await connectBus({ url, prefix: '', name: 'standstill', log: silentLogger });
  const names: string[] = [];
  for await (const { config } of any.jsm.streams.list()) names.push(config.name);
  await any.close();
  const logs = names.filter((name) => name.endsWith(LOG));
  if (logs.length === 0) return ['there is no log'];
  const described = logs.map(async (name) => {
    const bus = await connectBus({ url, prefix: name.slice(0, -LOG.length), name: 'standstill', log: silentLogger });
    return describe(bus).finally(() => bus.close());
  });
  return (await Promise.all(described)).flat();
}

async function describeLog({ jsm, stream }: Bus): Promise<string[]> {
  const info = await jsm.streams.info(stream);
  const { messages, first_seq, last_seq } = info.state;
  const end = await jsm.streams.getMessage(stream, { seq: last_seq }).then(
    () => 'can be read',
    (error: Error) => `cannot be read: ${error.message}`,
  );
  return [`log ${epochOf(info)}: ${messages} records from ${first_seq} to ${last_seq}, of which the last ${end}`];
}

/** Consumers without a description belong to events pods. */
async function describeReaders({ jsm, stream }: Bus): Promise<string[]> {
  const lines: string[] = [];
  for await (const { name, config, delivered, num_pending: pending } of jsm.consumers.list(stream))
    lines.push(`reader ${name}: at ${delivered.stream_seq}, ${pending} to come; log ${config.description ?? 'of now'}`);
  return lines;
}

/** A queue made by a pod that takes the log for another one has that one's epoch. */
async function describeQueues({ js, prefix }: Bus): Promise<string[]> {
  const counts = new Map<string, number>();
  for await (const entry of await (await js.views.kv(`${prefix}queues`)).history()) {
    if (entry.operation !== 'PUT') continue;
    const { epoch } = entry.json<{ epoch: string }>();
    counts.set(epoch, (counts.get(epoch) ?? 0) + 1);
  }
  return Array.from(counts, ([epoch, count]) => `${count} queues of the log ${epoch}`);
}

async function describeOutboxes(network: TestNetwork): Promise<string[]> {
  const described = SCHEMAS.map(async ({ service: owner }) => {
    const { waitingEvents, rowsToRefill } = await readOutboxLag(network.database(owner));
    const [mark] = await network
      .database(owner)
      .query<{ epoch: string | null; seq: number }>(
        'select log_epoch as epoch, record_seq as seq from outbox_progress',
      );
    return `outbox of ${owner}: ${waitingEvents} wait, ${rowsToRefill} to refill; up to ${mark?.seq} of ${mark?.epoch}`;
  });
  return Promise.all(described);
}

function describeTraffic({ senders, followers }: Traffic): string[] {
  const accepted = senders.map((sender) => `${sender.account.userId}: ${sender.accepted}`);
  const heard = followers.map(
    ({ queues }, index) =>
      `follower ${index}: ${queues.length} queues, in the last one up to ${JSON.stringify(
        Array.from(queues.at(-1)?.numbers ?? [], ([senderId, numbers]) => [senderId, numbers.at(-1)]),
      )}`,
  );
  return [`accepted ${accepted.join(', ')}`, ...heard];
}

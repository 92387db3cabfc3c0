import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientAnswer, ClientOrder } from './clients';
import { Poller, type PollingClient } from './poller';

/** Fewer than fit into a server's queue of new connections. */
const CONNECTED_AT_ONCE = 100;
const PAUSE_MS = 5;

const pollers: Poller[] = [];
let received = 0;
let expected = Number.POSITIVE_INFINITY;

async function connect(address: string, clients: readonly PollingClient[]): Promise<void> {
  for (const [index, client] of clients.entries()) {
    pollers.push(new Poller({ address, client, onMessages: count, onFault: die }));
    if (index % CONNECTED_AT_ONCE === 0) await sleep(PAUSE_MS);
  }
  await Promise.all(pollers.map((poller) => poller.connected));
  report('connected');
}

function count(messages: number): void {
  received += messages;
  reportWhenReached();
}

function reportWhenReached(): void {
  if (received < expected) return;
  expected = Number.POSITIVE_INFINITY;
  report({ received, atMs: Number(process.hrtime.bigint()) / 1e6 });
}

function die(error: Error): never {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
}

function report(answer: ClientAnswer | 'connected'): void {
  process.send?.(answer);
}

process.on('message', (order: ClientOrder) => {
  if ('connect' in order) void connect(order.address, order.connect);
  else {
    expected = order.expected;
    reportWhenReached();
  }
});
process.once('disconnect', () => process.exit());
process.send?.({ started: '' });

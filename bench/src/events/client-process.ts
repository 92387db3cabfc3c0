import { createHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientAnswer, type ClientOrder, monotonicNowMs, SENT_AT } from './clients';
import { Poller, type PollingClient } from './poller';

/** Fewer than a server's backlog of new connections. */
const CONNECTED_AT_ONCE = 100;
const PAUSE_MS = 5;

const pollers: Poller[] = [];
let received = 0;
/** Since the last report: answers with messages, and the delays of messages with a time of sending. */
let answers = 0;
const delays = createHistogram();
let expected = Number.POSITIVE_INFINITY;

async function connect(address: string, clients: readonly PollingClient[]): Promise<void> {
  for (const [index, client] of clients.entries()) {
    pollers.push(new Poller({ address, client, onMessages: count, onFault: die }));
    if (index % CONNECTED_AT_ONCE === 0) await sleep(PAUSE_MS);
  }
  await Promise.all(pollers.map((poller) => poller.connected));
  report('connected');
}

function count(messages: number, body: string): void {
  received += messages;
  answers += 1;
  const nowMs = monotonicNowMs();
  for (const [, sentAtMs] of body.matchAll(SENT_AT))
    delays.record(Math.max(1, Math.round((nowMs - Number(sentAtMs)) * 1_000)));
  reportWhenReached();
}

function reportWhenReached(): void {
  if (received < expected) return;
  expected = Number.POSITIVE_INFINITY;
  const [p50Ms, p99Ms] = [delays.percentile(50) / 1_000, delays.percentile(99) / 1_000];
  report({ received, answers, atMs: monotonicNowMs(), delays: { p50Ms, p99Ms } });
  answers = 0;
  delays.reset();
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

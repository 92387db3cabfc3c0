import type { ChildServer } from './base/child';
import { ms, print, ratio, row, runBench } from './base/command';
import { joinRounds, type Throughput } from './base/measure';
import { type Servers, withServers } from './base/servers';
import { startBareChain } from './sends/bare-chain';
import { measureCommits, measurePublishes, measureUnaryCalls } from './sends/machine-limits';
import { measureDelivery, measureSends, type SendTarget } from './sends/measure-sends';
import { type Parley, startParley } from './sends/parley';

const CONCURRENCIES = [1, 32, 128];
const ROUNDS = 5;
const SUBSCRIBER_COUNTS = [10, 1_000, 10_000];

/** `npm run bench`: what the machine allows, a bare chain, and Parley, in one run on one machine. */
async function measure({ databaseUrl, natsUrl }: Servers): Promise<void> {
  const limits = await measureLimits(databaseUrl, natsUrl);
  const bare = await startBareChain(databaseUrl, natsUrl);
  const parley = await startParley({ databaseUrl, natsUrl });
  try {
    await compareSends(parley, bare, limits);
    await measureFanOut(parley);
  } finally {
    await parley.stop();
    await bare.stop();
  }
}

async function measureLimits(databaseUrl: string, natsUrl: string): Promise<Record<string, number>> {
  const commits = await measureCommits(databaseUrl);
  const calls = await measureUnaryCalls();
  const publishes = await measurePublishes(natsUrl);
  print('Limits of the machine (32 at once)');
  row('durable single-row PostgreSQL commits', commits);
  row('gRPC unary calls of 1 KB', calls);
  row('JetStream publishes of 1 KB', publishes);
  return { commits: commits.perSecond, calls: calls.perSecond, publishes: publishes.perSecond };
}

/** In turns, several short rounds each, so that other load of the machine affects both. */
async function compareSends(
  parley: Parley,
  chain: Pick<ChildServer, 'address' | 'stop'>,
  limits: Record<string, number>,
): Promise<void> {
  const bare = { baseUrl: `http://${chain.address}`, path: '/', fields: { topic: 'lunch' } };
  const target = sendTarget(parley, await parley.createChannel(10));
  print('POST /messages beside a bare chain of two processes: HTTP form → gRPC → one batched insert → one publish');
  for (const concurrency of CONCURRENCIES) {
    const rounds: { bare: Throughput; parley: Throughput }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({ bare: await measureSends(bare, concurrency), parley: await measureSends(target, concurrency) });
    }
    const ofChain = joinRounds(rounds.map((round) => round.bare));
    const ofParley = joinRounds(rounds.map((round) => round.parley));
    const ofLimits = Object.entries(limits).map(([name, limit]) => `${ratio(ofParley.perSecond / limit)} of ${name}`);
    row(`${concurrency} senders, the bare chain`, ofChain);
    row(
      `${concurrency} senders, Parley`,
      ofParley,
      [`${ratio(ofParley.perSecond / ofChain.perSecond)} of the bare chain`, ...ofLimits].join(', '),
    );
  }
}

async function measureFanOut(parley: Parley): Promise<void> {
  const channels = new Map<number, string>();
  for (const count of SUBSCRIBER_COUNTS) channels.set(count, await parley.createChannel(count));
  print('One sender at a time, by subscribers of the channel');
  const medians: number[] = [];
  for (const [count, channel] of channels) {
    const result = await measureSends(sendTarget(parley, channel), 1);
    medians.push(result.p50Ms);
    row(
      `${count} subscribers`,
      result,
      `${ratio(result.p50Ms / (medians[0] as number))} of the time at ${SUBSCRIBER_COUNTS[0]}`,
    );
  }
  print('From the request to the event in another user’s pending poll');
  for (const [count, channel] of channels) {
    const { p50Ms, p99Ms } = await measureDelivery(parley, channel);
    print(`  ${`${count} subscribers`.padEnd(44)} p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)}`, '');
  }
}

function sendTarget(parley: Parley, channel: string): SendTarget {
  const fields = { type: 'channel', to: channel, topic: 'lunch' };
  return { baseUrl: parley.baseUrl, path: '/api/v1/messages', authorization: parley.sender, fields };
}

runBench(() => withServers(measure));

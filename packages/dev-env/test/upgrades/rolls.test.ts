import http from 'node:http';
import { registerQueue } from '@parley/gateway/endpoints';
import { eg, TestNetwork } from '../../src';
import { EXTERNAL_HOST } from '../../src/network/plan';
import type { ServiceName } from '../../src/network/replica';
import { UPGRADE_ORDER } from './upgrade-order';

const REQUESTS = 10_000;
const CLIENTS = 8;
/** Minimum duration; continues until enough requests were sent. */
const ROLLS = 2;
const LIMIT_MS = 600_000;
const HOST = [eg.home.subdomain, EXTERNAL_HOST].filter(Boolean).join('.');

/** Gateways behind a load balancer: one that is about to stop is taken out first. */
const inService = new Set<number>();
const failures = new Map<string, number>();
let network: TestNetwork;
let sent = 0;
let isRolling = true;

beforeAll(async () => {
  const replicas = Object.fromEntries(UPGRADE_ORDER.map((name) => [name, 2]));
  network = await TestNetwork.create({ processes: UPGRADE_ORDER, replicas, settings: { RATE_LIMITS: 'false' } });
  inService.add(0).add(1);
}, LIMIT_MS);
afterAll(async () => {
  isRolling = false;
  await network?.stop();
});

type Ask = () => Promise<string>;

/** A client with one kept connection to each gateway; returns the results, '200' for success. */
function createClient(authorization: string, agent: http.Agent) {
  let turn = 0;
  return (method: string, path: string, body?: string): Promise<string> => {
    const gateways = [...inService];
    turn += 1;
    const address = network.gatewayAddresses[gateways[turn % gateways.length] as number] as string;
    const [host, port] = address.split(':');
    const form = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    return new Promise((resolve) => {
      const headers = { authorization, host: HOST, ...form };
      const request = http.request({ agent, host, port, method, path: `/api/v1${path}`, headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', (error) => resolve(`${method} ${path}: ${error.message}`));
        response.on('end', () =>
          resolve(response.statusCode === 200 ? '200' : `${method} ${path}: ${response.statusCode} ${text}`),
        );
      });
      request.on('error', (error) => resolve(`${method} ${path}: ${error.message}`));
      request.end(body);
    });
  };
}

/** Sends requests while services are rolled; a sixth of them send a message. */
async function keepAsking(asks: readonly Ask[]): Promise<void> {
  for (let count = 0; isRolling; count += 1) {
    sent += 1;
    const outcome = await (asks[count % asks.length] as Ask)();
    if (outcome !== '200') failures.set(outcome, (failures.get(outcome) ?? 0) + 1);
  }
}

function asksOf(ask: ReturnType<typeof createClient>): Ask[] {
  const message = 'type=channel&to=general&topic=rolls&content=Hello';
  return [
    () => ask('GET', '/users/me'),
    () => ask('POST', '/messages', message),
    () => ask('GET', '/messages?anchor=newest&num_before=5&num_after=0'),
    () => ask('GET', '/streams'),
    () => ask('GET', '/scheduled_messages'),
    () => ask('GET', '/users/me/subscriptions'),
  ];
}

/** A poll that waits for events, repeatedly: it is answered at once when its gateway stops. */
async function keepPolling(ask: ReturnType<typeof createClient>, queueId: string): Promise<void> {
  while (isRolling) {
    sent += 1;
    const outcome = await ask('GET', `/events?queue_id=${queueId}&last_event_id=-1`);
    if (outcome !== '200') failures.set(outcome, (failures.get(outcome) ?? 0) + 1);
  }
}

async function roll(name: ServiceName): Promise<void> {
  for (const [index, replica] of network.replicas[name].entries()) {
    if (name === 'gateway') inService.delete(index);
    await replica.stop();
    await replica.start();
    if (name === 'gateway') inService.add(index);
  }
}

test(
  'no request fails and no connection is reset while all services are rolled',
  async () => {
    const agent = new http.Agent({ keepAlive: true });
    const { dan, eve } = network;
    const authorization = (person: { email: string; apiKey: string }) =>
      `Basic ${Buffer.from(`${person.email}:${person.apiKey}`).toString('base64')}`;
    const asking = Array.from({ length: CLIENTS }, () => keepAsking(asksOf(createClient(authorization(dan), agent))));
    const { queue_id: queueId } = await eve.call(registerQueue, { event_types: ['reaction'] });
    const polling = keepPolling(createClient(authorization(eve), agent), queueId as string);
    let rolls = 0;
    for (; rolls < ROLLS || sent < REQUESTS; rolls += 1) await Promise.all(UPGRADE_ORDER.map(roll));
    isRolling = false;
    await Promise.all([...asking, polling]);
    agent.destroy();
    process.stdout.write(`${sent} requests while all services were rolled ${rolls} times\n`);
    expect(Object.fromEntries(failures)).toEqual({});
    expect(sent).toBeGreaterThanOrEqual(REQUESTS);
  },
  LIMIT_MS,
);

import { ms, print, ratio, runBench } from './base/command';
import { type Servers, withServers } from './base/servers';
import { compareBusyChannel } from './events/busy-channel';
import { Clients } from './events/clients';
import { measureDeliveries, measureRate, settle } from './events/deliveries';
import { GatewayApi } from './events/gateway-api';
import { MemoryGrowth } from './events/memory';
import { type Organization, startOrganization } from './events/organization';

const POLLS = Number(process.env['POLLS'] ?? 10_000);
const TENTH = Math.floor(POLLS / 10);
/** The subscribers of one channel, while all polls are pending. */
const FEW_RECEIVERS = Math.min(100, POLLS);
/** Few enough for two cores. */
const BUSY_RECEIVERS = Math.min(50, POLLS);
const WARM_UP_CLIENTS = Math.min(500, POLLS);
const SENDS = 30;

/**
 * `npm run bench:events`: the cost of thousands of waiting clients, and the time until all of them have an event. For a short
 * run: POLLS=1000.
 */
async function measure(servers: Servers): Promise<void> {
  const organization = await startOrganization(servers, POLLS);
  const api = new GatewayApi(organization);
  try {
    await organization.createChannel('none', 1);
    await organization.createChannel('few', FEW_RECEIVERS + 1);
    await organization.createChannel('busy', BUSY_RECEIVERS + 1);
    await organization.createChannel('all', POLLS + 1);
    await measureIn(organization, api);
  } finally {
    await api.close();
    await organization.stop();
  }
}

async function measureIn(organization: Organization, api: GatewayApi): Promise<void> {
  await withClients(organization, api, WARM_UP_CLIENTS, async (clients) => {
    await measureDeliveries(api, clients, { channel: 'all', receivers: WARM_UP_CLIENTS, sends: SENDS });
  });
  print('A send, until the last waiting client has it');
  const alone = await withClients(organization, api, 0, (clients) => printDeliveries(api, clients, 'none', 0));
  await withClients(organization, api, TENTH, (clients) => printDeliveries(api, clients, 'all', TENTH, alone));
  const memory = new MemoryGrowth(organization);
  await memory.start();
  const queues = await api.register(organization.people);
  await memory.printGrowth('queues without polls', POLLS);
  const clients = await Clients.start(organization.address);
  await clients.connect(queues);
  await settle(clients);
  await memory.printGrowth('queues with pending polls', POLLS);
  await printDeliveries(api, clients, 'all', POLLS, alone);
  await printDeliveries(api, clients, 'few', FEW_RECEIVERS, alone);
  await settle(clients);
  await memory.printGrowth('queues with pending polls after that', POLLS);
  await printRate(api, clients);
  await clients.stop();
  await compareBusyChannel({ organization, api, channel: 'busy', receivers: BUSY_RECEIVERS });
}

async function printRate(api: GatewayApi, clients: Clients): Promise<void> {
  const perSecond = await measureRate(api, clients, { channel: 'all', receivers: POLLS, sends: SENDS });
  print(`  ${'events delivered when one is sent after the other'.padEnd(56)} ${Math.round(perSecond)}/s`, '');
}

/** Runs `work` with clients of new queues, and stops them. */
async function withClients<Result>(
  organization: Organization,
  api: GatewayApi,
  count: number,
  work: (clients: Clients) => Promise<Result>,
): Promise<Result> {
  const clients = await Clients.start(organization.address);
  await clients.connect(await api.register(organization.people.slice(0, count)));
  const result = await work(clients);
  await clients.stop();
  return result;
}

/** Resolves with the median time until a send was answered, for comparison. */
async function printDeliveries(
  api: GatewayApi,
  clients: Clients,
  channel: string,
  receivers: number,
  alone?: number,
): Promise<number> {
  const { answered, last } = await measureDeliveries(api, clients, { channel, receivers, sends: SENDS });
  const name = `${clients.count} pending polls, ${receivers} receivers`;
  const compared = alone === undefined ? '' : `  ${ratio(answered.p50Ms / alone)} of the time without polls`;
  print(`  ${name.padEnd(44)} answered p50 ${ms(answered.p50Ms)}  p99 ${ms(answered.p99Ms)}${compared}`, '');
  if (receivers > 0) print(`  ${''.padEnd(44)} last one p50 ${ms(last.p50Ms)}  p99 ${ms(last.p99Ms)}`, '');
  return answered.p50Ms;
}

runBench(() => withServers(measure));

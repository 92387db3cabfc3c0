import { loadavg } from 'node:os';
import path from 'node:path';
import { connectRpc, newCall } from '@parley/shared/rpc';
import { print, runBench } from './base/command';
import { createOrganization } from './base/organization';
import { type Servers, withServers } from './base/servers';
import { type Services, startServices, stopServices } from './base/services';
import { COUNTING, StatementCounter } from './operations/statement-counter';
import { ProcessorTime } from './provisioning/processor-time';
import { Provider } from './provisioning/provider';
import { TURN_QUESTION } from './provisioning/turns';

const USERS = Number(process.env['USERS'] ?? 10_000);
const CONNECTIONS = Number(process.env['CONNECTIONS'] ?? 32);
const WARM_UP = 200;
const LOOKUPS = 100;

/**
 * `npm run bench:provisioning`: an identity provider makes thousands of users by SCIM. For a short run, or a provider that sends one request at
 * a time: USERS=500 CONNECTIONS=1.
 */
async function measure(servers: Servers): Promise<void> {
  const services = await startServices(servers, {
    nodeOptions: ['--require', path.join(__dirname, 'provisioning', 'turns.js')],
  });
  try {
    const provider = new Provider(`http://${services.gateway.address}`, await newToken(services), CONNECTIONS);
    await provider.create(0, WARM_UP);
    await longestTurns(services);
    const counter = await StatementCounter.open(servers.databaseUrl);
    await provision(servers, services, { provider, counter });
    await lookUp(provider);
    await counter.close();
    await provider.close();
  } finally {
    await stopServices(services);
  }
}

async function newToken({ realm }: Services): Promise<string> {
  const { client, close } = connectRpc('realm', realm.address);
  const { realmId, userId } = await createOrganization(client);
  const { token } = await client.createScimToken({ ...newCall(), realmId, userId }, { name: 'bench' });
  close();
  return token;
}

interface Tools {
  provider: Provider;
  counter: StatementCounter;
}

async function provision({ pids }: Servers, services: Services, { provider, counter }: Tools): Promise<void> {
  const servicePids = Object.entries(services).map(([name, { pid }]) => [name, pid]);
  const time = new ProcessorTime({ ...Object.fromEntries(servicePids), ...pids });
  const client = process.cpuUsage();
  let seconds = 0;
  let used: [string, number][] = [];
  const work = async () => {
    const begunAt = performance.now();
    await provider.create(WARM_UP, WARM_UP + USERS);
    seconds = (performance.now() - begunAt) / 1_000;
    const { user, system } = process.cpuUsage(client);
    used = [...time.used(), ['client', (user + system) / 1_000]];
  };
  await counter.takeCosts(0);
  const statements = await counter.fewest(1, work, async () => {});
  const turns = await longestTurns(services);
  print(`${USERS} users by SCIM, ${CONNECTIONS} requests at a time`);
  line('time', `${seconds.toFixed(1)} s`);
  line('rate', `${Math.round(USERS / seconds)} users/s`);
  line('statements of all services, each user', (statements / USERS).toFixed(2));
  line('processor time, each user', listed(used.map(([name, cpuMs]) => `${name} ${(cpuMs / USERS).toFixed(2)} ms`)));
  line('longest turn of an event loop', listed(turns.map(([name, turnMs]) => `${name} ${Math.round(turnMs)} ms`)));
  line(
    'load average',
    loadavg()
      .map((load) => load.toFixed(2))
      .join(' '),
  );
  const shown = process.env['STATEMENTS'] === 'true' ? 20 : 0;
  for (const cost of await counter.takeCosts(shown))
    line(`${cost.calls} × ${cost.executionMs.toFixed(0)} ms`, cost.text.slice(0, 120));
}

function listed(parts: readonly string[]): string {
  return parts.join(', ');
}

async function lookUp(provider: Provider): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < LOOKUPS; n += 1) times.push(await provider.find(Math.floor((n * USERS) / LOOKUPS)));
  times.sort((a, b) => a - b);
  line('a lookup by userName, one after the other', `p50 ${(times[LOOKUPS / 2] as number).toFixed(1)} ms`);
}

/** Of each service since the last question. */
async function longestTurns(services: Services): Promise<[string, number][]> {
  const all = Object.entries(services).map(async ([name, service]): Promise<[string, number]> => {
    const { longestMs } = await service.ask<{ longestMs: number }>(TURN_QUESTION);
    return [name, longestMs];
  });
  return Promise.all(all);
}

function line(name: string, value: string): void {
  print(`  ${name.padEnd(44)} ${value}`, '');
}

runBench(() => withServers(measure, COUNTING));

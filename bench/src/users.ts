import { print, runBench } from './base/command';
import { readProcesses, treeOf } from './base/processes';
import { type Servers, withServers } from './base/servers';
import { startServices, stopServices } from './base/services';
import { makeAccounts } from './load/accounts';
import { OPERATIONS } from './load/figures';
import { type LoadReport, runLoad } from './load/run-load';
import { COUNTING_PLANS, type StatementCost, StatementCounter } from './operations/statement-counter';

const USERS = Number(process.env['USERS'] ?? 300);
const MINUTES = Number(process.env['MINUTES'] ?? 0.5);
/** The dearest ones, with STATEMENTS=true. */
const SHOWN_STATEMENTS = process.env['STATEMENTS'] === 'true' ? 15 : 0;
/** For the services: `--cpu-prof` for instance. */
const NODE_OPTIONS = (process.env['SERVICE_OPTIONS'] ?? '').split(' ').filter((option) => option !== '');

/** Processor time in milliseconds, by printed name. */
type CpuMs = Map<string, number>;

/**
 * `npm run bench:users`: processor time of each process for each simulated user of `npm run load`, and how often a user does what. Unlike the number
 * of users that a machine serves, it hardly depends on what else runs there. For a short run: USERS=100 MINUTES=0.2.
 */
async function measure(servers: Servers): Promise<void> {
  const counter = await StatementCounter.open(servers.databaseUrl);
  const services = await startServices(servers, { nodeOptions: NODE_OPTIONS });
  const { realm, messages, gateway } = services;
  const accounts = await makeAccounts({ realm: realm.address, messages: messages.address }, 1);
  const pids = Object.entries({ ...services, ...servers.pids }).map(([name, of]) => {
    return [name, typeof of === 'number' ? of : of.pid] as const;
  });
  let [before, after]: CpuMs[] = [new Map(), new Map()];
  try {
    const report = await runLoad({
      base: new URL(`http://${gateway.address}`),
      host: accounts.host,
      accounts: await accounts.take(USERS),
      ...{ minutes: MINUTES, seed: 1, isSteady: false },
      report: (line) => process.stderr.write(`  ${line}\n`),
      onBegin() {
        before = cpuOf(pids);
        void counter.takeCosts(0);
      },
      onEnd() {
        after = cpuOf(pids);
      },
    });
    printReport(report, before as CpuMs, after as CpuMs);
    for (const cost of await counter.takeCosts(SHOWN_STATEMENTS)) printStatement(cost);
  } finally {
    accounts.close();
    await stopServices(services);
    await counter.close();
  }
}

/** Of each process with its children, and of this one without. */
function cpuOf(pids: readonly (readonly [string, number])[]): CpuMs {
  const processes = readProcesses();
  const sum = (tree: Iterable<number>) => [...tree].reduce((total, pid) => total + (processes.get(pid)?.cpuMs ?? 0), 0);
  const own = ['this tool', sum([process.pid])] as const;
  return new Map([...pids.map(([name, pid]) => [name, sum(treeOf(pid, processes))] as const), own]);
}

const perUser = (value: number) => value / (USERS * MINUTES * 60);

function printReport({ figures, verdict }: LoadReport, before: CpuMs, after: CpuMs): void {
  print(`${USERS} users for ${MINUTES * 60} seconds; ${verdict.holds ? 'served well' : verdict.reasons.join('; ')}`);
  const used = [...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const);
  const all = used.reduce((sum, [, value]) => sum + value, 0);
  for (const [name, value] of [...used, ['all', all] as const]) {
    print(`  ${name.padEnd(14)} ${perUser(value).toFixed(3)} ms of processor time a user and second`, '');
  }
  for (const operation of OPERATIONS) {
    const { count, averageMs, p99Ms } = figures.of(operation);
    const times = `${perUser(count).toFixed(3)} a user and second`;
    print(
      `  ${operation.padEnd(14)} ${times}, ${averageMs.toFixed(1)} ms on the average, p99 ${p99Ms.toFixed(0)} ms`,
      '',
    );
  }
}

function printStatement({ text, calls, planMs, executionMs }: StatementCost): void {
  const each = `${(planMs / calls).toFixed(2)} ms planned, ${(executionMs / calls).toFixed(2)} ms run`;
  print(`  ${perUser(calls).toFixed(3)} a user and second, ${each}: ${text.replace(/\s+/g, ' ').slice(0, 120)}`, '');
}

runBench(() => withServers(measure, COUNTING_PLANS));

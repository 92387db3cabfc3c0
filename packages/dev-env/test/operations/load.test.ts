import { TestNetwork } from '../../src';
import type { Accounts } from '../../src/load/accounts';
import { makeAccounts } from '../../src/load/made-accounts';
import { loadAsJson } from '../../src/load/present-load';
import { type LoadReport, runLoad } from '../../src/load/run-load';

const USERS = 12;
const MINUTES = 0.1;

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

async function loadWith(
  { host, take }: Accounts,
  report: (line: string) => void,
  isSteady = false,
): Promise<LoadReport> {
  const base = new URL(`http://${network.address}`);
  const accounts = await take(USERS);
  // A history that was made ends the queues there are.
  await network.settle();
  return runLoad({ base, host, accounts, minutes: MINUTES, seed: 1, isSteady, report });
}

test('simulated users of an organization made for them register, listen, read and write without an error', async () => {
  const { realm, messages } = network.addresses;
  const accounts = await makeAccounts({ realm, messages }, 1);
  const lines: string[] = [];
  const report = await loadWith(accounts, (line) => lines.push(line)).finally(accounts.close);
  expect(report.figures.errors).toEqual({});
  expect(lines).not.toEqual([]);
  expect(JSON.parse(loadAsJson(report))).toMatchObject({
    users: USERS,
    operations: { register: { count: USERS } },
    awaited: { count: expect.any(Number), p99Ms: expect.any(Number) },
  });
  expect(report.figures.awaited.count).toBeGreaterThan(0);
  expect(report.figures.of('poll').count).toBeGreaterThan(0);
});

test('all requests of users without pauses are answered', async () => {
  const { realm, messages } = network.addresses;
  const accounts = await makeAccounts({ realm, messages }, 2);
  const { figures, verdict } = await loadWith(accounts, () => {}, true).finally(accounts.close);
  expect(figures.errors).toEqual({});
  expect(verdict).toEqual({ holds: true, reasons: [] });
  for (const operation of ['send', 'open channel', 'type', 'poll', 'delivery'] as const) {
    expect(figures.of(operation).count).toBeGreaterThan(0);
  }
});

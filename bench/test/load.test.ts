import { SERVICES, TestNetwork } from '@parley/dev-env';
import type { TlsFiles } from '@parley/shared/rpc';
import { createTestAuthority, type TestAuthority } from '@parley/shared/testing';
import { type Accounts, makeAccounts } from '../src/load/accounts';
import { loadAsJson } from '../src/load/present-load';
import { type LoadReport, runLoad } from '../src/load/run-load';

const USERS = 12;
const MINUTES = 0.1;

let authority: TestAuthority;
let tls: TlsFiles;
let network: TestNetwork;
beforeAll(async () => {
  authority = await createTestAuthority();
  tls = await authority.issue(SERVICES);
  const settings = { TLS_CERT_FILE: tls.certFile, TLS_KEY_FILE: tls.keyFile, TLS_CA_FILE: tls.caFile };
  network = await TestNetwork.create({ settings });
});
afterAll(async () => {
  await network.stop();
  authority.remove();
});

async function loadWith(
  { host, take }: Accounts,
  report: (line: string) => void,
  isSteady = false,
): Promise<LoadReport> {
  const base = new URL(`http://${network.address}`);
  const accounts = await take(USERS);
  // Filling an organization with messages ends its queues.
  await network.settle();
  return runLoad({ base, host, accounts, minutes: MINUTES, seed: 1, isSteady, report });
}

test('simulated users of an organization made for them register, listen, read and write without an error', async () => {
  const { realm, messages } = network.addresses;
  const accounts = await makeAccounts({ realm, messages, tls }, 1);
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
  const accounts = await makeAccounts({ realm, messages, tls }, 2);
  const { figures, verdict } = await loadWith(accounts, () => {}, true).finally(accounts.close);
  expect(figures.errors).toEqual({});
  expect(verdict).toEqual({ holds: true, reasons: [] });
  for (const operation of ['send', 'open channel', 'type', 'poll', 'delivery'] as const) {
    expect(figures.of(operation).count).toBeGreaterThan(0);
  }
});

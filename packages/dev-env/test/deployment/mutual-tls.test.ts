import path from 'node:path';
import { revokeInvitation, sendInvitations, sendMessage, updateRealm } from '@parley/gateway/endpoints';
import { loadConfig } from '@parley/operator/config';
import { runCommand } from '@parley/operator/run-command';
import { connectRpc, newCall, refreshCertificates, type TlsFiles } from '@parley/shared/rpc';
import { createTestAuthority, type TestAuthority } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { eg } from '../../src/cast/eg';
import { writeDemo } from '../../src/demo/demo-file';
import { ensureDemo } from '../../src/demo/ensure-demo';
import { SERVICES } from '../../src/network/plan';

let authority: TestAuthority;
let next: TestAuthority;
let files: TlsFiles;
let settings: Record<string, string>;
let network: TestNetwork;

beforeAll(async () => {
  [authority, next] = await Promise.all([createTestAuthority(), createTestAuthority('next authority')]);
  files = await authority.issue(SERVICES);
  settings = { TLS_CERT_FILE: files.certFile, TLS_KEY_FILE: files.keyFile, TLS_CA_FILE: files.caFile };
  network = await TestNetwork.create({ settings });
});
afterAll(async () => {
  await network.stop();
  authority.remove();
  next.remove();
});

const admin = (line: string) =>
  runCommand(line.split(' '), loadConfig({ REALM_ADDRESS: network.addresses.realm, ...settings }));

/** Over a separate connection, with these certificates. */
async function askRealm(shown: TlsFiles): Promise<number> {
  const { client, close } = connectRpc('realm', network.addresses.realm, shown);
  return (await client.getRealm(newCall('test', 1_500), { subdomain: eg.home.subdomain }).finally(close)).id;
}

test('services that show one another certificates send, deliver, and go on with new ones of another authority', async () => {
  const { dan, eve } = network;
  const events = await eve.events({ event_types: ['message'] });
  const lunch = { type: 'channel', to: 'general', topic: 'lunch' } as const;
  const { id } = await dan.call(sendMessage, { ...lunch, content: 'Soup' });
  expect(await events.next('message')).toMatchObject({ message: { id } });
  const [former, later] = [await authority.issue(['gateway']), await next.issue(['gateway'])];
  await expect(askRealm(later)).rejects.toMatchObject({ name: 'ServiceUnavailableError' });
  await next.replace(files, SERVICES);
  refreshCertificates();
  expect(await askRealm(later)).toBe(dan.realmId);
  await expect(askRealm(former)).rejects.toMatchObject({ name: 'ServiceUnavailableError' });
  const { id: nextId } = await dan.call(sendMessage, { ...lunch, content: 'Salad' });
  expect(await events.next('message')).toMatchObject({ message: { id: nextId } });
});

test('none of them answers a client without a certificate', async () => {
  for (const service of SERVICES) {
    if (service === 'gateway') continue;
    const { client, close } = connectRpc(service, network.addresses[service]);
    const call = { ...newCall('stranger', 500), realmId: network.iris.realmId, userId: network.iris.userId };
    const [method] = Object.values(client) as ((...words: unknown[]) => Promise<unknown>)[];
    await expect(method?.(call, {})).rejects.toMatchObject({ name: 'ServiceUnavailableError' });
    close();
  }
});

test('the demo of npm start shows a certificate, too', async () => {
  const { realm } = network.addresses;
  // Realm answers that the root domain is taken, so it was reached; npm start has no keys, or those of another database.

  const dataDir = path.dirname(files.certFile);
  const missing = {
    whyUnknown: expect.stringMatching(/demo\.json, .* is\nmissing or cannot be read\. Either DATA_DIR/),
  };
  expect(await ensureDemo(dataDir, realm, files)).toEqual(missing);
  const stranger = { fullName: 'Iris', role: 100, userId: 1, email: 'iris@example.com', apiKey: 'of another database' };
  writeDemo(dataDir, { realmId: 1, users: [stranger], isComplete: true });
  const notGood = {
    whyUnknown: expect.stringMatching(/demo\.json are not good .* database\. Either the database is another/),
  };
  expect(await ensureDemo(dataDir, realm, files)).toEqual(notGood);
});

test('acts of administrators in any service are in the audit log once, with their client address', async () => {
  const { iris } = network;
  await iris.call(updateRealm, { name: 'Renamed' });
  await iris.call(sendInvitations, { invitee_emails: 'new@example.org', stream_ids: [] });
  await network.settle();
  const listed = JSON.parse(await admin(`audit list --realm ${eg.home.subdomain} --actor ${iris.email} --json`));
  const entries = listed.entries.slice(-2);
  expect(entries).toMatchObject([
    { act: 'update-realm', after: '{"name":"Renamed"}', address: '127.0.0.1' },
    { act: 'send-invitations', on: expect.stringMatching(/^invitation \d+$/), address: '127.0.0.1' },
  ]);
  const invite_id = Number(entries[1].on.split(' ')[1]);
  await iris.call(revokeInvitation, { invite_id });
  await network.settle();
  const verified = JSON.parse(await admin('audit verify --json'));
  const exported = (await admin(`audit export --realm ${eg.home.subdomain}`)).trimEnd().split('\n');
  expect(JSON.parse(JSON.parse(exported.at(-1) as string).entry)).toMatchObject({ act: 'revoke-invitation' });
  expect(verified.verdict).toBe('OK');
  expect(verified.logs).toContainEqual(
    expect.objectContaining({
      realm_id: iris.realmId,
      entries: exported.length,
      head: JSON.parse(exported.at(-1) as string).hash,
    }),
  );
});

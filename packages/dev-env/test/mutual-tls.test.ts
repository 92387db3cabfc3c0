import { readFileSync } from 'node:fs';
import { revokeInvitation, sendInvitations, sendMessage, updateRealm } from '@parley/gateway/endpoints';
import { connectRpc, newCall, refreshCertificates, type TlsFiles } from '@parley/shared/rpc';
import { createTestAuthority, type TestAuthority } from '@parley/shared/testing';
import { TestNetwork } from '../src';
import { runCommand } from '../src/admin/run-command';
import { eg } from '../src/cast/eg';
import { loadConfig } from '../src/config';

const NAMES = ['realm', 'messages', 'invites', 'scheduler', 'events', 'gateway'];

let authority: TestAuthority;
let files: TlsFiles;
let settings: Record<string, string>;
let network: TestNetwork;

beforeAll(async () => {
  authority = await createTestAuthority();
  files = await authority.issue(NAMES);
  settings = { TLS_CERT_FILE: files.certFile, TLS_KEY_FILE: files.keyFile, TLS_CA_FILE: files.caFile };
  network = await TestNetwork.create({ settings });
});
afterAll(async () => {
  await network.stop();
  authority.remove();
});

const admin = (line: string) =>
  runCommand(line.split(' '), loadConfig({ REALM_ADDRESS: network.addresses.realm, ...settings }));

test('services that show one another certificates send, deliver, and go on with new ones', async () => {
  const { dan, eve } = network;
  const events = await eve.events({ event_types: ['message'] });
  const lunch = { type: 'channel', to: 'general', topic: 'lunch' } as const;
  const { id } = await dan.call(sendMessage, { ...lunch, content: 'Soup' });
  expect(await events.next('message')).toMatchObject({ message: { id } });
  const before = readFileSync(files.certFile, 'utf8');
  await authority.replace(files, NAMES);
  expect(readFileSync(files.certFile, 'utf8')).not.toBe(before);
  refreshCertificates();
  const { id: later } = await dan.call(sendMessage, { ...lunch, content: 'Salad' });
  expect(await events.next('message')).toMatchObject({ message: { id: later } });
});

test('nobody without a certificate is answered by any of them', async () => {
  for (const service of ['realm', 'messages', 'invites', 'scheduler', 'events'] as const) {
    const { client, close } = connectRpc(service, network.addresses[service]);
    const call = { ...newCall('stranger', 500), realmId: network.iris.realmId, userId: network.iris.userId };
    const [method] = Object.values(client) as ((...words: unknown[]) => Promise<unknown>)[];
    await expect(method?.(call, {})).rejects.toMatchObject({ name: 'ServiceUnavailableError' });
    close();
  }
});

test('what administrators do in any service is in the audit log, once, with whence they did it', async () => {
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

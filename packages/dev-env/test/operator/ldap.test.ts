import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createGroup,
  fetchApiKey,
  getEvents,
  getOwnUser,
  getServerSettings,
  registerQueue,
} from '@parley/gateway/endpoints';
import { runCommand } from '@parley/operator/run-command';
import { GROUPS, Slapd, until } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { eg } from '../../src/cast/eg';
import { createHttpClient } from '../../src/network/http-client';
import { createTestClient } from '../../src/network/test-client';
import { operatorConfig } from './operator-config';

let network: TestNetwork;
let slapd: Slapd;
let folder: string;
let http: ReturnType<typeof createHttpClient>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'ldap-'));
  slapd = await Slapd.start();
  network = await TestNetwork.create({ settings: { LDAP_SYNC_INTERVAL_SECS: '5' } });
  http = createHttpClient(network.gatewayAddresses[0] as string);
});
afterAll(async () => {
  http?.close();
  rmSync(folder, { recursive: true, force: true });
  await network?.stop();
  await slapd?.stop();
});

const ldap = async (...words: string[]) =>
  JSON.parse(await runCommand(['ldap', ...words, '--realm', eg.home.subdomain, '--json'], operatorConfig(network)));

test('people sign in with their password of the directory, and lose access soon after they have left it', async () => {
  const [password, ca] = ['password', 'ca'].map((name) => path.join(folder, name)) as [string, string];
  writeFileSync(password, `${slapd.settings.bindPassword}\n`);
  writeFileSync(ca, slapd.settings.ca);
  const { url, bindDn, userBase } = slapd.settings;
  const place = ['--url', url, '--ca-file', ca, '--bind-dn', bindDn, '--bind-password-file', password];
  expect(await ldap('set', ...place, '--user-base', userBase, '--new-accounts', 'sign-in')).toMatchObject({
    on: false,
  });
  await slapd.addPerson('other');
  const entry = await slapd.addPerson('dora', { name: 'Dora', password: 'sesame' });
  expect(await ldap('test', '--login', 'dora')).toMatchObject({ people: 2, found: entry });
  await ldap('set', '--on', 'yes');
  expect((await network.iris.call(getServerSettings, {})).authentication_methods).toMatchObject({ ldap: true });

  const { api_key: apiKey, email } = await network.iris.call(fetchApiKey, { username: 'dora', password: 'sesame' });
  const dora = createTestClient({ ...network.iris, email, apiKey }, 'parley.test', http);
  expect(await dora.call(getOwnUser, {})).toMatchObject({ full_name: 'Dora' });
  const { queue_id, last_event_id } = await dora.call(registerQueue, {});
  const poll = dora.call(getEvents, { queue_id: queue_id as string, last_event_id }).catch((error: unknown) => error);

  await slapd.remove(entry);
  const hasKey = () =>
    dora.call(getOwnUser, {}).then(
      () => true,
      () => false,
    );
  await until(async () => !(await hasKey()));
  expect(await poll).toBeDefined();
  await expect(network.iris.call(fetchApiKey, { username: 'dora', password: 'sesame' })).rejects.toThrow();
  expect(await ldap('show')).toMatchObject({ accounts: 0, last_sync: 'complete' });
});

test('the command sets which groups of the directory give user groups and roles, and shows them', async () => {
  const group = 'Engineers at home';
  await network.iris.call(createGroup, { name: group, description: '', members: [] });
  const rules = ['--groups', `eng=${group}`, '--roles', 'admins=200,o=u=300'];
  const shown = { group_base: GROUPS, groups: `eng=${group}`, roles: 'admins=200,o=u=300' };
  expect(await ldap('set', '--group-base', GROUPS, ...rules)).toMatchObject(shown);
  expect(await ldap('show')).toMatchObject(shown);
  await expect(ldap('set', '--groups', 'eng=nobody knows it')).rejects.toThrow('there is no group "nobody knows it"');
  expect(await ldap('set', '--groups', '', '--roles', '', '--group-base', '')).toMatchObject({ groups: '', roles: '' });
});

import { registerQueue } from '@parley/gateway/endpoints';
import { runCommand } from '@parley/operator/run-command';
import { type TestClient, TestNetwork } from '../../src';
import { eg } from '../../src/cast/eg';
import { multipart } from '../multipart';
import { operatorConfig } from './operator-config';

let network: TestNetwork;

beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

/** The command's output with --json, for the home organization. */
async function admin(line: string) {
  const words = [...line.split(' '), '--realm', eg.home.subdomain, '--json'];
  return JSON.parse(await runCommand(words, operatorConfig(network)));
}

const KIB = 1024;

async function upload(person: TestClient, bytes: number) {
  const file = multipart({ name: 'a.txt', bytes: Buffer.alloc(bytes, 'a') });
  return (await person.callRaw({ method: 'POST', path: '/api/v1/user_uploads', ...file })).json;
}

const reportedQuota = async () =>
  (await network.dan.call(registerQueue, { fetch_event_types: ['realm'] })).realm_upload_quota_mib;

test('the operator sets the upload quota of an account', async () => {
  const ofDan = `--user ${eg.dan.email}`;
  const shown = await admin(`quota show ${ofDan}`);
  expect(shown).toMatchObject({ used_bytes: 0, allowed_mib: 5_120, from: 'setting' });
  expect(await admin(`quota set ${ofDan} --mib 1`)).toEqual({ ...shown, allowed_mib: 1, from: 'own' });
  expect(await upload(network.dan, 600 * KIB)).toMatchObject({ result: 'success' });
  expect(await upload(network.dan, 600 * KIB)).toMatchObject({ code: 'REALM_UPLOAD_QUOTA' });
  expect(await upload(network.eve, 600 * KIB)).toMatchObject({ result: 'success' });
  expect(await admin(`quota set ${ofDan} --mib none`)).toMatchObject({ used_bytes: 600 * KIB, allowed_mib: 'none' });
  expect(await upload(network.dan, 600 * KIB)).toMatchObject({ result: 'success' });
  expect(await admin(`quota set ${ofDan} --mib default`)).toMatchObject({ allowed_mib: 5_120, from: 'setting' });
  await network.settle();
  const { entries } = await admin('audit list --limit 1');
  expect(entries).toMatchObject([{ act: 'set-upload-quota', by: 'operator', on: `user ${shown.user_id}` }]);
});

test('and that of an organization, which is announced to clients', async () => {
  expect(await admin('quota show')).toMatchObject({ used_bytes: 1_800 * KIB, allowed_mib: 'none', from: 'setting' });
  expect(await reportedQuota()).toBeNull();
  expect(await admin('quota set --mib 2')).toMatchObject({ allowed_mib: 2, from: 'own' });
  expect(await reportedQuota()).toBe(2);
  expect(await upload(network.eve, 600 * KIB)).toMatchObject({ code: 'REALM_UPLOAD_QUOTA' });
  await admin('quota set --mib default');
  expect(await reportedQuota()).toBeNull();
  expect(await upload(network.eve, 600 * KIB)).toMatchObject({ result: 'success' });
  await expect(admin('quota set --mib much')).rejects.toThrow('must be a number, default or none');
});

import { registerQueue } from '@parley/gateway/endpoints';
import { runCommand } from '@parley/operator/command/run-command';
import { loadConfig } from '@parley/operator/config';
import { type TestClient, TestNetwork } from '../src';
import { eg } from '../src/cast/eg';

let network: TestNetwork;

beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

/** What the command prints with --json, of the organization at home. */
async function admin(line: string) {
  const { realm, messages } = network.addresses;
  const settings = loadConfig({ REALM_ADDRESS: realm, MESSAGES_ADDRESS: messages });
  return JSON.parse(await runCommand([...line.split(' '), '--realm', eg.home.subdomain, '--json'], settings));
}

const KIB = 1024;

async function upload(person: TestClient, bytes: number) {
  const head = '--B\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';
  const { json } = await person.callRaw({
    ...{ method: 'POST', path: '/api/v1/user_uploads' },
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
    body: Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 'a'), Buffer.from('\r\n--B--\r\n')]),
  });
  return json;
}

const quotaTold = async () =>
  (await network.dan.call(registerQueue, { fetch_event_types: ['realm'] })).realm_upload_quota_mib;

test('the operator sets what the files of an account may take up', async () => {
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

test('and those of an organization, whose clients are told', async () => {
  expect(await admin('quota show')).toMatchObject({ used_bytes: 1_800 * KIB, allowed_mib: 'none', from: 'setting' });
  expect(await quotaTold()).toBeNull();
  expect(await admin('quota set --mib 2')).toMatchObject({ allowed_mib: 2, from: 'own' });
  expect(await quotaTold()).toBe(2);
  expect(await upload(network.eve, 600 * KIB)).toMatchObject({ code: 'REALM_UPLOAD_QUOTA' });
  await admin('quota set --mib default');
  expect(await quotaTold()).toBeNull();
  expect(await upload(network.eve, 600 * KIB)).toMatchObject({ result: 'success' });
  await expect(admin('quota set --mib much')).rejects.toThrow('must be a number, default or none');
});

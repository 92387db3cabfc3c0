import { getOwnUser, registerQueue, sendMessage, subscribe } from '@parley/gateway/endpoints';
import { runCommand } from '@parley/operator/run-command';
import { TestNetwork } from '../../src';
import { eg } from '../../src/cast/eg';
import { operatorConfig } from './operator-config';

let network: TestNetwork;

beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

/** The command's output with --json. */
async function admin(line: string, realm: string = eg.home.subdomain) {
  const words = line.replaceAll('@', '@example.com').split(' ');
  return JSON.parse(await runCommand([...words, '--realm', realm, '--json'], operatorConfig(network)));
}

/** The same, of the deployment. */
const adminOfAll = async (line: string) =>
  JSON.parse(await runCommand([...line.split(' '), '--json'], operatorConfig(network)));

/** The audit log's entry of the operator's last act. */
async function lastAct(realm?: string) {
  await network.settle();
  const list = 'audit list --limit 1 --actor operator';
  const { entries } = await (realm === undefined ? adminOfAll(list) : admin(list, realm));
  const [{ act, on, after }] = entries;
  return { act, on, after: JSON.parse(after) };
}

describe('accounts', () => {
  test('are listed, shown, and given another role', async () => {
    const { total, users } = await admin('user list --kind people');
    expect(total).toBe(4);
    expect(users).toContainEqual(expect.objectContaining({ email: eg.dan.email, role: 400, is_active: true }));
    expect(await admin('user list --kind people --limit 1')).toMatchObject({ total: 4, users: [expect.anything()] });
    await admin('user role --email eve@ --role 300');
    expect(await network.eve.call(getOwnUser, {})).toMatchObject({ role: 300 });
    expect(await admin('user show --email eve@')).toMatchObject({ role: 300 });
  });

  test('are deactivated and taken into use again; the only owner is not', async () => {
    await admin('user deactivate --email faye@');
    expect(await admin('user list --kind deactivated')).toMatchObject({ users: [{ email: eg.faye.email }] });
    await admin('user reactivate --email faye@');
    expect(await admin('user show --email faye@')).toMatchObject({ is_active: true });
    await admin('user deactivate --email robo-bot@');
    expect(await admin('user show --email robo-bot@')).toMatchObject({ is_active: false, is_bot: true });
    await expect(admin('user deactivate --email iris@')).rejects.toThrow(
      'Cannot deactivate the only organization owner',
    );
  });

  test('need the rights of the user named by --as', async () => {
    const asDan = admin('user role --email eve@ --role 200 --as dan@');
    await expect(asDan).rejects.toThrow('Insufficient permission');
  });
});

test('keys are made, listed and ended', async () => {
  const { user_id, api_key } = await admin('key create --email dan@ --label backup');
  const { keys } = await admin('key list --email dan@');
  const made = keys.find(({ label }: { label: string }) => label === 'backup');
  const client = network.clientOf({ realmId: 0, userId: user_id, email: eg.dan.email, apiKey: api_key });
  expect(await client.call(getOwnUser, {})).toMatchObject({ user_id });
  await admin(`key revoke --email dan@ --id ${made.id}`);
  await client.expectError('UNAUTHORIZED', getOwnUser, {});
});

test('queues are listed and ended', async () => {
  const events = await network.dan.events();
  await network.eve.call(registerQueue, {});
  const { queues } = await admin('queue list --email dan@');
  expect(queues).toHaveLength(1);
  expect(await admin('queue end --email dan@')).toEqual({ ended: 1 });
  const { user_id } = await admin('user show --email dan@');
  const after = { [`queue.${queues[0].queue_id}`]: 'ended' };
  expect(await lastAct(eg.home.subdomain)).toEqual({ act: 'end-queue', on: `user ${user_id}`, after });
  expect(await admin('queue list --email dan@')).toEqual({ queues: [] });
  expect((await admin('queue list --email eve@')).queues).toHaveLength(1);
  await expect(events.rest()).rejects.toThrow('BAD_EVENT_QUEUE_ID');
});

test('channels are made, listed, shown, archived and restored', async () => {
  const { channel_id } = await admin('channel create --name soup --description Daily --private yes --users eve@');
  const shown = { channel_id, name: 'soup', is_private: true, is_archived: false, subscribers: 1 };
  expect(await admin('channel show --name soup')).toMatchObject({ ...shown, description: 'Daily' });
  const { channels } = await admin('channel list');
  expect(channels).toContainEqual(expect.objectContaining(shown));
  expect(channels).toContainEqual(expect.objectContaining({ name: eg.leads.name, subscribers: 2 }));
  await admin('channel archive --name soup');
  expect((await admin('channel list')).channels).toContainEqual(
    expect.objectContaining({ ...shown, is_archived: true }),
  );
  await admin('channel restore --name soup');
  await network.settle();
  // A subscriber adds others: the owner in whose name the command acts may not.
  await network.eve.call(subscribe, { subscriptions: [{ name: 'soup' }], principals: [network.dan.userId] });
  await expect(admin('channel create --name broth --private yes')).rejects.toThrow('a private channel needs --users');
  const { channel_id: id } = await admin('channel create --name stew');
  await admin('channel archive --name stew');
  expect(await admin('channel restore --name stew')).toEqual({ channel_id: id });
  expect(await admin('channel show --name stew')).toMatchObject({ channel_id: id, is_archived: false });
});

test('channels are renamed, and people are given permissions in them', async () => {
  const { channel_id } = await admin('channel create --name porridge');
  const groups = '--setting can_send_message_group --groups role:owners';
  await admin(`channel set --name porridge --new-name oats --description Hot ${groups} --users dan@`);
  expect(await admin('channel show --name oats')).toMatchObject({ channel_id, description: 'Hot' });
  const post = { type: 'channel', to: 'oats', topic: 'taste', content: 'Sweet' } as const;
  await network.dan.call(sendMessage, post);
  await network.eve.expectError('BAD_REQUEST', sendMessage, post);
  await expect(admin('channel set --name oats')).rejects.toThrow('nothing to change');
  await expect(admin('channel set --name oats --groups cooks')).rejects.toThrow('--setting goes with --groups');
  await expect(admin('channel set --name oats --setting can_send_message_group --groups cooks')).rejects.toThrow(
    'there is no group "cooks"; there are: role:',
  );
});

test('unpublished events are counted by service', async () => {
  await network.settle();
  const nothing = { waiting_events: 0, oldest_waiting_ms: 0, rows_to_refill: 0 };
  const services = ['realm', 'messages', 'invites', 'scheduler'].map((service) => ({ service, ...nothing }));
  expect(await adminOfAll('outbox status')).toEqual({ services });
});

test('a refill publishes events again, and services act on each once', async () => {
  const dry = await adminOfAll('outbox refill --dry-run yes --service realm');
  expect(dry).toEqual({ is_dry_run: true, services: [{ service: 'realm', events: expect.any(Number) }] });
  const { events } = dry.services[0];
  expect(events).toBeGreaterThan(0);
  const before = await adminOfAll('audit list');
  expect(await adminOfAll('outbox refill --service realm')).toMatchObject({ services: [{ service: 'realm', events }] });
  expect(await lastAct()).toEqual({ act: 'refill-log', on: 'deployment 0', after: { service: 'realm', events } });
  expect((await adminOfAll('audit list')).entries).toHaveLength(before.entries.length + 1);
});

test('an organization is renamed and set', async () => {
  await admin('realm set --name Hearth --setting message_retention_days --value 365');
  const shown = await admin('realm show');
  expect(shown).toMatchObject({ name: 'Hearth', is_deactivated: false });
  expect(shown.settings).toContainEqual({ name: 'message_retention_days', value: '365' });
  await expect(admin('realm set --setting colour --value red')).rejects.toThrow('there is no setting "colour"');
  await admin('realm set --setting can_create_groups --groups role:moderators --users faye@');
  expect(await lastAct(eg.home.subdomain)).toMatchObject({ act: 'update-realm' });
  await expect(admin('realm set --setting can_create_groups --value 7')).rejects.toThrow('is a permission');
  await expect(admin('realm set --setting default_language --users dan@')).rejects.toThrow('that is a permission');
  await expect(admin('realm set')).rejects.toThrow('nothing to change');
  await expect(admin('realm set --setting waiting_period_threshold')).rejects.toThrow(
    '--setting and --value go together',
  );
});

test('an organization is closed, opened again, and deleted', async () => {
  const { subdomain } = eg.away;
  const realm_id = (await admin('realm deactivate', subdomain)).realm_id;
  await network.zoe.expectError('REALM_DEACTIVATED', sendMessage, { type: 'direct', to: '[1]', content: 'Hello?' });
  await admin('realm reactivate', subdomain);
  expect(await network.zoe.call(getOwnUser, {})).toMatchObject({ full_name: eg.zoe.fullName });
  await admin('realm deactivate', subdomain);
  expect(await admin('realm purge --days 14', subdomain)).toMatchObject({ realm_id });
  const { realms } = await adminOfAll('realm list');
  const away = { realm_id, subdomain, is_deactivated: true, is_purged: false, data_deleted_from: expect.any(String) };
  expect(realms).toContainEqual(expect.objectContaining(away));
});

import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { readEntries } from '@parley/gateway/archives/archive-reader';
import { archiveWriter } from '@parley/gateway/archives/archive-writer';
import { makeDataExport } from '@parley/gateway/archives/make-data-export';
import { ARCHIVED_SERVICES, type ArchivedService, readManifest } from '@parley/gateway/archives/manifest';
import {
  addReaction,
  createDataExport,
  createDrafts,
  createInvitationLink,
  createReminder,
  createScheduledMessage,
  deleteDataExport,
  editMessage,
  fetchApiKey,
  getDataExports,
  getExportConsents,
  getMessages,
  getThumbnailStatus,
  type ResultOf,
  registerQueue,
  sendMessage,
  subscribe,
  updateFlags,
  updateUserSettings,
} from '@parley/gateway/endpoints';
import { diskStore } from '@parley/gateway/uploads/disk-store';
import { runCommand } from '@parley/operator/run-command';
import { importInto } from '@parley/shared/archive';
import type { FailDataExportRequest, ImportedRows } from '@parley/shared/proto';
import { connectRpc, newCall, type RpcClient } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { systemClock } from '@parley/shared/values';
import { pack } from 'tar-stream';
import { type PublicEvent, type TestClient, TestNetwork } from '../../src';
import { eg } from '../../src/cast/eg';
import { PNG, uploadFile } from '../multipart';
import { operatorConfig } from './operator-config';

const PASSWORD = 'correct horse battery staple';

let network: TestNetwork;
/** Where the gateway keeps files, too. */
let folder: string;
let archive: string;
/** After his password was changed. */
let dan: TestClient;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-archives-'));
  network = await TestNetwork.create({ settings: { DATA_DIR: folder } });
  archive = path.join(folder, 'home.tar.gz');
  await live();
  await network.settle();
});
afterAll(async () => {
  await network?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The command's output with --json; words with spaces are given as a list. */
async function admin(...words: string[]) {
  return JSON.parse(await runCommand([...words, '--json'], operatorConfig(network, { DATA_DIR: folder })));
}

const say = (client: TestClient, topic: string, content: string) =>
  client.call(sendMessage, { type: 'channel', to: eg.leads.name, topic, content });

const soon = () => Math.floor(Date.now() / 1_000) + 86_400;

/** A bit of everything that an organization has. */
async function live(): Promise<void> {
  const { iris, eve } = network;
  const { api_key: apiKey } = await admin(
    'user',
    'password',
    '--realm',
    '',
    '--email',
    eg.dan.email,
    '--password',
    PASSWORD,
  );
  dan = network.clientOf({ ...network.dan, apiKey });
  const file = await uploadFile(iris, { name: 'plan.txt', bytes: 'the plan' });
  const { id } = await say(iris, 'plans', `@**Dan Brooks** look at [it](${file}), 🎉`);
  await say(iris, 'plans', 'Second thoughts');
  await dan.call(addReaction, { message_id: id, emoji_name: 'tada' });
  await iris.call(editMessage, { message_id: id, content: `@**Dan Brooks** see [it](${file})` });
  await eve.call(sendMessage, { type: 'direct', to: [dan.userId], content: 'Just between us' });
  await dan.call(updateFlags, { messages: [id], op: 'add', flag: 'starred' });
  await dan.call(createDrafts, { drafts: [{ type: '', to: [], topic: '', content: 'A draft' }] } as never);
  const later = { type: 'direct', to: [eve.userId], content: 'Later', scheduled_delivery_timestamp: soon() };
  await dan.call(createScheduledMessage, later as never);
  await dan.call(createReminder, { message_id: id, scheduled_delivery_timestamp: soon() } as never);
  await iris.call(createInvitationLink, {});
  const late = { subscriptions: [{ name: 'late' }], invite_only: true };
  await iris.call(subscribe, late);
  await iris.call(sendMessage, { type: 'channel', to: 'late', topic: 'plans', content: 'Before Dan' });
  await iris.call(subscribe, { ...late, principals: [dan.userId] });
  await iris.call(sendMessage, { type: 'channel', to: 'late', topic: 'plans', content: 'After Dan' });
  await iris.call(sendMessage, { type: 'direct', to: [eve.userId], content: 'Mine alone' });
  for (let count = 1; count <= 12; count += 1) await say(iris, 'chatter', String(count));
  const picture = await uploadFile(eve, { name: 'dot.png', bytes: PNG, type: 'image/png' });
  await eve.call(sendMessage, { type: 'direct', to: [dan.userId], content: `[dot](${picture})` });
  const place = { realm_id_str: eve.realmId, filename: picture.split('/').slice(3).join('/') };
  while (!(await eve.call(getThumbnailStatus, place)).has_thumbnail);
  await admin('quota', 'set', '--realm', '', '--mib', '300');
  await admin('quota', 'set', '--realm', '', '--user', eg.dan.email, '--mib', 'none');
}

/** Signs in to the copy with the person's password. */
async function signIn(subdomain: string, person: TestClient): Promise<TestClient> {
  const nobody = network.clientOf(person, subdomain);
  const { api_key: apiKey } = await nobody.call(fetchApiKey, { username: person.email, password: PASSWORD });
  return network.clientOf({ ...person, apiKey }, subdomain);
}

/** A client's whole state, without what belongs to this very client, and the organization's address. */
async function stateOf(client: TestClient, realmId: number): Promise<Record<string, unknown>> {
  const text = JSON.stringify(await client.call(registerQueue, {}))
    .replaceAll('copy.parley.test', 'parley.test')
    .replaceAll(new RegExp(`(user_avatars|user_uploads)/${realmId}/`, 'g'), '$1/R/');
  const { queue_id, last_event_id, server_timestamp, realm_uri, realm_url, realm_uuid, realm_icon_url, ...rest } =
    JSON.parse(text) as Record<string, unknown>;
  return rest;
}

async function messagesOf(client: TestClient, realmId: number) {
  const page = { anchor: 'newest', num_before: 100, num_after: 0 } as never;
  const { messages } = await client.call(getMessages, page);
  const shown = (messages as object[]).map((message) => ({ ...message, sender_realm_str: '' }));
  return JSON.parse(
    JSON.stringify(shown).replaceAll(new RegExp(`(user_uploads/(?:thumbnail/)?)${realmId}/`, 'g'), '$1R/'),
  );
}

describe('the operator moves an organization', () => {
  test('into an archive readable by its owner only', async () => {
    expect(await admin('realm', 'export', '--realm', '', '--to', archive)).toMatchObject({ file: archive });
    expect((await stat(archive)).mode & 0o777).toBe(0o600);
    await expect(admin('realm', 'export', '--realm', '', '--to', archive)).rejects.toThrow(
      `there is a file ${archive} already`,
    );
    const { entries } = await admin('audit', 'list', '--realm', '');
    expect(entries.at(-1)).toMatchObject({ act: 'export-realm', by: 'operator' });
  });

  test('in few parts, however few rows are read at once', async () => {
    const names: string[] = [];
    for await (const { name, bytes } of readEntries(archive)) {
      names.push(name);
      bytes.resume();
    }
    expect(names.filter((name) => name.endsWith('-message.ndjson'))).toHaveLength(1);
  });

  test('and out of it, under another name: people find all they had', async () => {
    const imported = await admin('realm', 'import', '--from', archive, '--as', 'copy');
    // All keys are those of the organization that stays; a picture has a thumbnail.
    expect(imported).toMatchObject({ subdomain: 'copy', files: 3 });
    expect(imported.keys_left_out).toBeGreaterThan(4);
    const copied = await signIn('copy', dan);
    expect(await messagesOf(copied, imported.realm_id)).toEqual(await messagesOf(dan, dan.realmId));
    expect(await stateOf(copied, imported.realm_id)).toEqual(await stateOf(dan, dan.realmId));
  });

  test('with its upload quotas', async () => {
    const own = { from: 'own', used_bytes: expect.any(Number) };
    expect(await admin('quota', 'show', '--realm', 'copy')).toMatchObject({ ...own, allowed_mib: 300 });
    const ofDan = await admin('quota', 'show', '--realm', 'copy', '--user', eg.dan.email);
    expect(ofDan).toMatchObject({ ...own, allowed_mib: 'none' });
  });

  test('with its files, at new addresses', async () => {
    const copied = await signIn('copy', dan);
    const { realms } = await admin('realm', 'list');
    const { realm_id: realmId } = realms.find(({ subdomain }: { subdomain: string }) => subdomain === 'copy');
    const [message] = await messagesOf(copied, 0);
    const [, address] = /\((\/user_uploads\/[^)]+)\)/.exec(JSON.stringify(await rawContents(copied))) ?? [];
    expect(message).toBeDefined();
    expect(address).toMatch(new RegExp(`^/user_uploads/${realmId}/`));
    expect(await copied.callRaw({ method: 'GET', path: address as string })).toMatchObject({
      status: 200,
      text: 'the plan',
    });
    expect((await dan.callRaw({ method: 'GET', path: address as string })).status).toBe(404);
  });

  test('where it goes on apart from the one that it was', async () => {
    const copied = await signIn('copy', dan);
    const { id } = await say(copied, 'plans', 'Only here');
    expect((await messagesOf(copied, 0)).at(-1)).toMatchObject({ id, content: '<p>Only here</p>' });
    expect((await messagesOf(dan, 0)).map(({ content }: { content: string }) => content)).not.toContain(
      '<p>Only here</p>',
    );
    const waiting = await network
      .database('scheduler')
      .query(`select kind from due_job where kind in ('reminder', 'scheduled_message') group by realm_id, kind`);
    expect(waiting).toHaveLength(4);
  });

  test('has its audit log unchanged', async () => {
    await expect(admin('audit', 'verify')).resolves.toMatchObject({ verdict: 'OK' });
    const { entries } = await admin('audit', 'list', '--realm', 'copy');
    // People have signed in to the copy since.
    const acts = entries.filter(({ act }: { act: string }) => act !== 'sign-in');
    expect(acts.at(-1)).toMatchObject({ act: 'import-realm', by: 'operator' });
    expect(entries.map(({ act }: { act: string }) => act)).toContain('reset-password');
  });
});

async function rawContents(client: TestClient): Promise<string[]> {
  const page = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false } as never;
  const { messages } = await client.call(getMessages, page);
  return (messages as unknown as { content: string }[]).map(({ content }) => content);
}

describe('an import is refused', () => {
  const subdomains = async () =>
    (await admin('realm', 'list')).realms.map(({ subdomain }: { subdomain: string }) => subdomain);

  test('where there is an organization of that name', async () => {
    await expect(admin('realm', 'import', '--from', archive, '--as', eg.away.subdomain)).rejects.toThrow(
      'already in use',
    );
  });

  test('when the archive is damaged, or breaks off', async () => {
    const bytes = await readFile(archive);
    const damaged = path.join(folder, 'damaged.tar.gz');
    await writeFile(damaged, bytes.subarray(0, bytes.length - 100));
    const before = await subdomains();
    await expect(admin('realm', 'import', '--from', damaged, '--as', 'broken')).rejects.toThrow();
    await changeArchive(damaged, (name, text) =>
      name.includes('-channel.') ? text.replace('general', 'generic') : text,
    );
    await expect(admin('realm', 'import', '--from', damaged, '--as', 'broken')).rejects.toThrow('is not what it was');
    expect(await subdomains()).toEqual(before);
  });

  test('when it is no file, or no archive', async () => {
    await expect(admin('realm', 'import', '--from', folder)).rejects.toThrow(`there is no file ${folder}`);
    const other = path.join(folder, 'none.tar.gz');
    for (const bytes of [Buffer.from('Something else'), gzipSync('Something else'.repeat(100))]) {
      await writeFile(other, bytes);
      await expect(admin('realm', 'import', '--from', other)).rejects.toThrow('is damaged, or is none');
    }
  });

  const PLACE = `ab/${'s'.repeat(24)}`;
  test.each([
    ['above its place', 'files/ID/../../x'],
    ['of a name above it', `files/ID/${PLACE}/..`],
    ['of another organization', `files/9ID/${PLACE}/x.txt`],
    ['that is no thumbnail', `thumbnails/ID/${PLACE}/x.png/x.html`],
    ['of another kind', 'incoming/ID/x'],
  ])('when it brings along a file %s', async (_, place) => {
    const before = [await subdomains(), await readdir(folder, { recursive: true })];
    const hostile = path.join(folder, '..', `${path.basename(folder)}.tar.gz`);
    const name = place.replace('ID', String(dan.realmId));
    try {
      await forgeArchive(hostile, { added: name });
      await expect(admin('realm', 'import', '--from', hostile, '--as', 'broken')).rejects.toThrow(JSON.stringify(name));
    } finally {
      await rm(hostile, { force: true });
    }
    expect([await subdomains(), await readdir(folder, { recursive: true })]).toEqual(before);
  });

  test.each(['manifest.json', 'realm/000001-channel.ndjson', 'thumbnails/x'])(
    'when there is too much in its %s',
    async (name) => {
      const huge = path.join(folder, 'huge.tar.gz');
      const target = pack();
      target.entry({ name, size: 2 ** 33 });
      const [header] = await once(target, 'data');
      await writeFile(huge, gzipSync(header));
      await expect(admin('realm', 'import', '--from', huge)).rejects.toThrow(`"${name}" has ${2 ** 33} bytes`);
    },
  );

  test('when a name in it is longer than any that is written', async () => {
    const file = path.join(folder, 'long.tar.gz');
    await forgeArchive(file, { added: `files/${'x'.repeat(507)}` });
    await expect(admin('realm', 'import', '--from', file)).rejects.toThrow('a name in it is too long');
  });

  test('by a service in its own words, however much there is still to come', async () => {
    const { raw, close } = connectRpc('scheduler', network.addresses.scheduler);
    const part = { realmId: 0, migrations: [], sequences: {}, table: 'due_job', lines: Buffer.alloc(0), isEnd: false };
    async function* parts(): AsyncGenerator<ImportedRows> {
      yield { ...part, realmId: 1, migrations: ['999999-later.sql'] };
      for (;;) yield { ...part, lines: Buffer.alloc(4 * 1024 * 1024) };
    }
    try {
      await expect(importInto({ raw }, newCall(undefined, 60_000), parts())).rejects.toThrow(
        '999999-later.sql is missing here',
      );
    } finally {
      close();
    }
  });

  test.each([
    ['a file of somebody else', /"path_id":"[^"]*"/, '"path_id":"1"', 'A row of attachment is not as Parley writes it'],
    [
      'ids that leave none for others',
      /"message_id":\d+/,
      '"message_id":9007199254740991',
      'No id that can be: message_id',
    ],
  ])('when it claims %s', async (_what, own, forged, refusal) => {
    const file = path.join(folder, 'claiming.tar.gz');
    let count = 0;
    const claim = () => {
      count += 1;
      return forged;
    };
    await forgeArchive(file, { change: (_name, text) => text.replace(own, claim) });
    expect(count).toBeGreaterThan(0);
    await expect(admin('realm', 'import', '--from', file, '--as', 'broken')).rejects.toThrow(refusal);
    const { realmIds } = await network.realmService.listRealmsToPurge(newCall(), {});
    for (const realmId of realmIds) while (!(await network.realmService.purgeRealm(newCall(), { realmId })).isComplete);
    await rm(file);
  });

  test('when it is of another version; nothing of it stays', async () => {
    const before = await subdomains();
    const other = path.join(folder, 'other.tar.gz');
    const later = (text: string) => text.replace('"000001-init.sql"', '"000001-init.sql","999999-later.sql"');
    // The last service: the others' rows are there by then.
    await changeArchive(other, (name, text) =>
      name === 'manifest.json' ? text.replace(/"realm":\{"migrations".*/s, later) : text,
    );
    await expect(admin('realm', 'import', '--from', other, '--as', 'broken')).rejects.toThrow(
      '999999-later.sql is missing',
    );
    const [left] = (await subdomains()).filter((each: string) => !before.includes(each));
    expect(left).toMatch(/^-import-/);
    const [row] = await network
      .database('realm')
      .query<{ id: number }>('select id from realm where subdomain = $1', [left]);
    const realmId = row?.id as number;
    const rowsLeft = () => network.database('messages').query('select 1 from message where realm_id = $1', [realmId]);
    expect((await rowsLeft()).length).toBeGreaterThan(2);
    expect((await network.realmService.listRealmsToPurge(newCall(), {})).realmIds).toEqual([realmId]);
    while (!(await network.realmService.purgeRealm(newCall(), { realmId })).isComplete);
    expect(await subdomains()).toEqual(before);
  });
});

const SECRETS = ['password_hash', 'key_hash', 'argon2', '\\\\x'];
const PRIVATE = [...SECRETS, 'Just between us', 'A draft', 'Second thoughts', 'the plan', '@example.com', 'Later'];

/** All that is in an archive. */
async function contentsOf(file: string): Promise<string> {
  const texts: string[] = [];
  for await (const { bytes } of readEntries(file)) texts.push(await text(bytes));
  return texts.join('\n');
}

describe('administrators request an export of shared data', () => {
  /** Asks for it, and waits for it; all that is in the archive. */
  async function exported(type: 1 | 2): Promise<string> {
    const { iris } = network;
    const events = await iris.events({ event_types: ['realm_export'] });
    const { id } = await iris.call(createDataExport, { export_type: type });
    const ofIt = (event: PublicEvent) =>
      (event as unknown as ResultOf<typeof getDataExports>).exports.find((each) => each.id === id);
    expect(ofIt(await events.next('realm_export'))).toMatchObject({
      pending: true,
      export_url: null,
      export_type: type,
    });
    const made = ofIt(await events.next('realm_export')) as { export_url: string };
    expect(made).toMatchObject({ acting_user_id: iris.userId, pending: false, failed_timestamp: null });
    expect((await iris.call(getDataExports, {})).exports).toContainEqual(made);
    expect(await iris.callRaw({ method: 'GET', path: made.export_url })).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/gzip' },
    });
    expect((await dan.callRaw({ method: 'GET', path: made.export_url })).status).toBe(400);
    await events.rest();
    return contentsOf(path.join(folder, 'uploads/files', made.export_url.slice('/user_uploads/export/'.length)));
  }

  test('without anything private', async () => {
    await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'news', content: 'For everybody' });
    const text = await exported(1);
    expect(text).toContain('For everybody');
    expect(text).toContain('Dan Brooks');
    for (const secret of PRIVATE) expect(text).not.toContain(secret);
  });

  test('with the private data of users who consented', async () => {
    await dan.call(updateUserSettings, { allow_private_data_export: true });
    const { export_consents: consents } = await network.iris.call(getExportConsents, {});
    expect(consents).toContainEqual({ user_id: dan.userId, consented: true });
    const text = await exported(2);
    for (const shared of ['Just between us', 'A draft', 'Second thoughts', 'After Dan', 'the plan', eg.dan.email]) {
      expect(text).toContain(shared);
    }
    for (const secret of [...SECRETS, eg.eve.email, 'Mine alone', 'Before Dan']) expect(text).not.toContain(secret);
  });

  /** Makes an export of these services' data without a request; answers its path in the store. */
  async function make(addresses: Record<ArchivedService, string>, realm: RpcClient<'realm'>, stopping: AbortSignal) {
    const services = ARCHIVED_SERVICES.map((name) => ({ name, ...connectRpc(name, addresses[name]) }));
    const connections = Object.fromEntries(services.map(({ name, raw }) => [name, { raw }])) as never;
    const store = path.join(folder, 'lost');
    const of = { realmId: dan.realmId, name: 'Home', uuid: '', isDeactivated: false };
    const held = { realmId: dan.realmId, id: 1_000_000, attempt: 1 };
    const place = { path: `${dan.realmId}/ab/secret/1/export.tar.gz`, subdomain: '', kind: 'public' };
    const claimed = { held, realm: of, ...place, channelIds: [], userIds: [], received: [] };
    const needs = { realm, connections, store: diskStore(store), clock: systemClock, log: silentLogger };
    try {
      await makeDataExport(needs, claimed, stopping);
    } finally {
      for (const { close } of services) close();
    }
    return path.join(store, 'files', path.dirname(place.path));
  }

  test('has its bytes deleted if its request no longer exists', async () => {
    const { realmService, addresses } = network;
    const place = await make(addresses, realmService, new AbortController().signal);
    // It was put there: its folder has stayed.
    expect(await readdir(place)).toEqual([]);
  });

  test('which a stopping gateway leaves to another one', async () => {
    const stopping = new AbortController();
    const sockets: Socket[] = [];
    const silent = createServer((socket) => {
      sockets.push(socket);
      stopping.abort();
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const failed: FailDataExportRequest[] = [];
    const realm: RpcClient<'realm'> = {
      ...network.realmService,
      failDataExport(call, request) {
        failed.push(request);
        return network.realmService.failDataExport(call, request);
      },
    };
    const { port } = silent.address() as AddressInfo;
    try {
      await make({ ...network.addresses, messages: `127.0.0.1:${port}` }, realm, stopping.signal);
    } finally {
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
    expect(failed).toMatchObject([{ held: { id: 1_000_000 }, isInterrupted: true }]);
  });

  test('five times a week', async () => {
    const { iris } = network;
    for (let made = 2; made < 5; made += 1) await iris.call(createDataExport, {});
    expect(await iris.expectError('BAD_REQUEST', createDataExport, {})).toMatchObject({ msg: 'Exceeded rate limit.' });
  });

  test('until they are deleted', async () => {
    const { iris } = network;
    const { exports } = await iris.call(getDataExports, {});
    const { id: export_id, export_url: url } = exports[0] as { id: number; export_url: string };
    await dan.expectError('UNAUTHORIZED_PRINCIPAL', deleteDataExport, { export_id });
    await iris.call(deleteDataExport, { export_id });
    expect((await iris.callRaw({ method: 'GET', path: url })).status).toBe(404);
    const file = path.join(folder, 'uploads/files', url.slice('/user_uploads/export/'.length));
    while (existsSync(file)) await network.settle();
    const [deleted] = (await iris.call(getDataExports, {})).exports;
    expect(deleted).toMatchObject({ id: export_id, export_url: null, deleted_timestamp: expect.any(Number) });
  });

  test('and other users may not', async () => {
    for (const endpoint of [createDataExport, getDataExports, getExportConsents]) {
      await dan.expectError('UNAUTHORIZED_PRINCIPAL', endpoint as typeof getDataExports, {});
    }
  });
});

/** Entries other than uploaded files. */
const isText = (name: string) => /json$/.test(name);

/** Copies the archive, with other texts in its entries. */
async function changeArchive(to: string, change: (name: string, text: string) => string): Promise<void> {
  const target = pack();
  const written = pipeline(target as unknown as Readable, createGzip(), createWriteStream(to));
  for await (const { name, bytes } of readEntries(archive)) {
    const given = await buffer(bytes);
    target.entry({ name }, isText(name) ? change(name, given.toString()) : given);
  }
  target.finalize();
  await written;
}

/** Copies the archive with changes, as its maker could: all digests are right. */
async function forgeArchive(to: string, { added, change = (_name, text) => text }: Forgery): Promise<void> {
  const target = archiveWriter(createWriteStream(to));
  for await (const { name, bytes } of readEntries(archive)) {
    const given = await buffer(bytes);
    const contents = isText(name) ? Buffer.from(change(name, given.toString())) : given;
    if (name !== 'manifest.json') {
      await target.add(name, contents.length, Readable.from([contents]));
      continue;
    }
    if (added) await target.add(added, 1, Readable.from([Buffer.from('x')]));
    await target.finish(readManifest(contents.toString()));
  }
}

interface Forgery {
  /** A file. */
  added?: string;
  change?: (name: string, text: string) => string;
}

import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createBot,
  createInvitationLink,
  fetchApiKey,
  getTemporaryFileUrl,
  regenerateApiKey,
  sendInvitations,
} from '@parley/gateway/endpoints';
import { createLogger } from '@parley/shared/service';
import { TestNetwork } from '../../src';
import { mailedKey } from '../mail-folder';
import { uploadFile } from '../multipart';

const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'parley-logs-'));
const MAILS = path.join(DATA_DIR, 'mail');
const PASSWORD = 'correct horse battery';

const lines: string[] = [];
let network: TestNetwork;
beforeAll(async () => {
  await mkdir(MAILS);
  const log = createLogger('test', 'trace', { write: (line) => void lines.push(line) });
  network = await TestNetwork.create({ log, settings: { DATA_DIR } });
});
afterAll(async () => {
  await network.stop();
  await rm(DATA_DIR, { recursive: true });
});

interface Line {
  msg: string;
  requestId?: string;
  [field: string]: unknown;
}

const logged = () => lines.map((line) => JSON.parse(line) as Line);

test('a request is found in the logs of every service by the id in its answer', async () => {
  const { dan } = network;
  const form = { type: 'stream', to: 'general', topic: 'lunch', content: 'Soup?' };
  const sent = await dan.callRaw({ method: 'POST', path: '/api/v1/messages', form });
  const requestId = sent.headers['x-request-id'] as string;
  const found = logged().filter((line) => line.requestId === requestId);
  expect(found.find(({ msg }) => msg === 'request')).toMatchObject({
    method: 'POST',
    path: '/api/v1/messages',
    status: 200,
    ms: expect.any(Number),
    realmId: dan.realmId,
    userId: dan.userId,
  });
  const calls = found.filter(({ msg }) => msg === 'call').map(({ method }) => method);
  expect(calls).toEqual(expect.arrayContaining(['realm.Authenticate', 'messages.SendMessage']));
});

test('a valid id of the client is kept, an invalid one is not', async () => {
  for (const given of ['mine-1', 'not\u00a0one']) {
    const headers = { 'x-request-id': given };
    const answer = await network.dan.callRaw({ method: 'GET', path: '/api/v1/users/me', headers });
    const id = answer.headers['x-request-id'];
    expect(id === given).toBe(given === 'mine-1');
    expect(logged().some((line) => line.msg === 'request' && line.requestId === id)).toBe(true);
  }
});

async function acceptInvitation(email: string): Promise<string> {
  const { dan } = network;
  await dan.call(sendInvitations, { invitee_emails: email, stream_ids: [] });
  const key = await mailedKey(MAILS, email);
  const form = { key, full_name: 'Nora', password: PASSWORD };
  for (const method of ['GET', 'PUT', 'OPTIONS']) {
    await dan.callRaw({ method, path: `/accounts/do_confirm/${key}`, headers: { authorization: null } });
  }
  const accepted = await dan.callRaw({
    method: 'POST',
    path: '/api/v1/invites/accept',
    form,
    headers: { authorization: null },
  });
  expect(accepted.status).toBe(200);
  return key;
}

/** Uploads a file and fetches it by an address that needs no credentials; resolves with what is secret about that. */
async function fetchUploadedFile(): Promise<string> {
  const { dan } = network;
  const uploaded = await uploadFile(dan, { name: 'a.txt', bytes: 'contents of a file' });
  const [, realm_id_str, filename] = /user_uploads\/(\d+)\/(.+)$/.exec(uploaded) as unknown as string[];
  const { url } = await dan.call(getTemporaryFileUrl, { realm_id_str, filename } as never);
  const fetched = await dan.callRaw({ method: 'GET', path: url as string, headers: { authorization: null } });
  expect([fetched.status, fetched.text]).toEqual([200, 'contents of a file']);
  const [, token] = /temporary\/([^/]+)\//.exec(url as string) as unknown as string[];
  return token as string;
}

test('no line has a password, a key, a secret link, or text of users', async () => {
  const { dan, iris } = network;
  const key = await acceptInvitation('nora@example.org');
  const { api_key: norasKey } = await dan.call(fetchApiKey, { username: 'nora@example.org', password: PASSWORD });
  await dan.callRaw({
    method: 'POST',
    path: '/api/v1/fetch_api_key',
    form: { username: dan.email, password: 'wrong guess' },
  });
  const { invite_link: link } = await iris.call(createInvitationLink, {});
  await dan.callRaw({ method: 'GET', path: new URL(link).pathname, headers: { authorization: null } });
  const bot = await dan.call(createBot, { full_name: 'Robbie', short_name: 'robbie' });
  const token = await fetchUploadedFile();
  const { api_key: dansNext } = await dan.call(regenerateApiKey, {});
  const form = { type: 'stream', to: 'general', topic: 'a secret topic', content: 'a secret plan' };
  await iris.callRaw({ method: 'POST', path: '/api/v1/messages', form });
  await iris.callRaw({ method: 'GET', path: `/api/v1/messages?num_before=bad&api_key=${norasKey}` });
  await network.settle();
  const authorization = Buffer.from(`${dan.email}:${dan.apiKey}`).toString('base64');
  const people = [dan.apiKey, iris.apiKey, norasKey, dansNext, bot.api_key, authorization];
  const written = ['wrong guess', 'a secret plan', 'a secret topic', 'contents of a file'];
  const secrets = [PASSWORD, key, new URL(link).pathname.split('/').at(-2) as string, token, ...people, ...written];
  expect(secrets.filter((secret) => typeof secret !== 'string' || secret.length < 8)).toEqual([]);
  expect(secrets.filter((secret) => lines.some((line) => line.includes(secret as string)))).toEqual([]);
  expect(lines.length).toBeGreaterThan(50);
});

import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deactivateUser, getApiKeys, revokeApiKey, updateUserSettings } from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { createFakeClock } from '@parley/shared/testing';
import { ROLES } from '@parley/shared/values';
import { type TestClient, TestNetwork } from '../../src';
import type { RawAnswer, RawRequest } from '../../src/network/test-client';
import { mailsTo } from '../mail-folder';

const PASSWORD = 'a long and winding road';
const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'parley-sessions-'));
const MAILS = path.join(DATA_DIR, 'mail');

let network: TestNetwork;
/** Somebody with a password. */
let nora: TestClient;
beforeAll(async () => {
  await mkdir(MAILS);
  network = await TestNetwork.create({
    clock: createFakeClock(),
    settings: { DEV_LOGIN: '1', DATA_DIR },
    replicas: { gateway: 2, realm: 2 },
  });
  const account = { email: 'nora@example.com', fullName: 'Nora', role: ROLES.member, password: PASSWORD };
  nora = network.clientOf(await network.realmService.createUser(newCall(), { subdomain: '', ...account }));
  // The only mail that she gets is the one that she asks for.
  await nora.call(updateUserSettings, { enable_login_emails: false });
});
afterAll(async () => {
  await network.stop();
  await rm(DATA_DIR, { recursive: true });
});

/** Sends a request without the key of the account. */
function send({ callRaw }: TestClient, request: RawRequest): Promise<RawAnswer> {
  return callRaw({ ...request, headers: { authorization: null, ...request.headers } });
}

const signIn = (client: TestClient, form: Record<string, string>, headers: Record<string, string> = {}) =>
  send(client, { method: 'POST', path: '/accounts/login', form, headers });

interface Session {
  cookie: string;
  token: string;
}

function sessionOf({ headers }: RawAnswer): Session {
  const pairs = (headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0] as string);
  return {
    cookie: pairs.join('; '),
    token: pairs.find((pair) => pair.includes('csrftoken='))?.split('=')[1] as string,
  };
}

async function newSession(client: TestClient): Promise<Session> {
  return sessionOf(await signIn(client, { username: client.email, without_password: 'true' }));
}

const ownProfile = (client: TestClient, { cookie }: Session) =>
  send(client, { method: 'GET', path: '/json/users/me', headers: { cookie } });

async function setStatus(
  client: TestClient,
  session: Partial<Session>,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const form = { status_text: 'in a meeting' };
  const { cookie, token } = session;
  const own = { ...(cookie && { cookie }), ...(token && { 'x-csrftoken': token }) };
  return send(client, { method: 'POST', path: '/json/users/me/status', form, headers: { ...own, ...headers } });
}

describe('who signs in on the page', () => {
  test('with a password is sent on with a session that calls the API as they do', async () => {
    const page = await send(nora, { method: 'GET', path: '/accounts/login?next=%2F%23narrow' });
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('name="next" value="/#narrow"') });
    const answer = await signIn(nora, { username: ' NORA@example.com', password: PASSWORD, next: '/#narrow' });
    expect(answer).toMatchObject({ status: 303, headers: { location: '/#narrow' } });
    const session = sessionOf(answer);
    expect(await ownProfile(nora, session)).toMatchObject({ status: 200, json: { user_id: nora.userId } });
    expect(await setStatus(nora, session)).toMatchObject({ status: 200, json: { result: 'success' } });
    const again = await send(nora, { method: 'GET', path: '/accounts/login', headers: { cookie: session.cookie } });
    expect(again).toMatchObject({ status: 303, headers: { location: '/' } });
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example'])(
    'is not sent on to another site: %j',
    async (next) => {
      const { dan } = network;
      const answer = await signIn(dan, { username: dan.email, without_password: 'true', next });
      expect(answer).toMatchObject({ status: 303, headers: { location: '/' } });
    },
  );

  test('with a wrong password reads why, and gets no session', async () => {
    const { dan } = network;
    const answer = await signIn(dan, { username: dan.email, password: PASSWORD });
    expect(answer).toMatchObject({
      status: 401,
      text: expect.stringContaining('Your username or password is incorrect'),
    });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ])('by the form of another site is refused: %j', async (headers) => {
    const { dan } = network;
    const answer = await signIn(dan, { username: dan.email, without_password: 'true' }, headers);
    expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('sent by another site') });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});

describe('the cookies', () => {
  test('belong to this host and reach it over TLS only, where the page has it', async () => {
    const { dan } = network;
    const answer = await signIn(
      dan,
      { username: dan.email, without_password: 'true' },
      { 'x-forwarded-proto': 'https' },
    );
    const [session, token] = answer.headers['set-cookie'] as string[];
    expect(session).toMatch(
      /^__Host-sessionid=[A-Za-z0-9]{32}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(token).toMatch(/^__Host-csrftoken=[\w-]{43}; Path=\/; Expires=[^;]+; Secure; SameSite=Lax$/);
    expect(await ownProfile(dan, sessionOf(answer))).toMatchObject({ status: 200 });
  });

  test('work without TLS as well', async () => {
    const { dan } = network;
    const answer = await signIn(
      dan,
      { username: dan.email, without_password: 'true' },
      { origin: 'http://parley.test' },
    );
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^sessionid=[A-Za-z0-9]{32}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
  });

  test('come with a key on development servers, as clients’ tests expect', async () => {
    const { dan } = network;
    const answer = await send(dan, {
      method: 'POST',
      path: '/api/v1/dev_fetch_api_key',
      form: { username: dan.email },
    });
    expect(await setStatus(dan, sessionOf(answer))).toMatchObject({ status: 200 });
  });
});

describe('a session', () => {
  test('is no key, and a key is no session', async () => {
    const { dan } = network;
    const { cookie } = await newSession(dan);
    const key = /sessionid=(\w+)/.exec(cookie)?.[1];
    const authorization = `Basic ${Buffer.from(`${dan.email}:${key}`).toString('base64')}`;
    const path = '/api/v1/users/me';
    expect(await dan.callRaw({ method: 'GET', path, headers: { authorization } })).toMatchObject({ status: 401 });
    expect(await send(dan, { method: 'GET', path, headers: { cookie } })).toMatchObject({ status: 401 });
    const withKey = await send(dan, {
      method: 'GET',
      path: '/json/users/me',
      headers: { cookie: `sessionid=${dan.apiKey}` },
    });
    expect(withKey).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
    expect(withKey.headers['www-authenticate']).toBeUndefined();
    expect(await dan.callRaw({ method: 'GET', path: '/json/users/me' })).toMatchObject({ status: 401 });
  });

  test.each<[string, (session: Session, other: Session) => [Partial<Session>, Record<string, string>?]]>([
    ['without the token', ({ cookie }) => [{ cookie }]],
    ['with the token of another session', ({ cookie }, { token }) => [{ cookie, token }]],
    ['from another site', (session) => [session, { 'sec-fetch-site': 'cross-site' }]],
    ['from a neighboring host', (session) => [session, { 'sec-fetch-site': 'same-site' }]],
    ['from another origin', (session) => [session, { origin: 'http://other.parley.test' }]],
  ])('changes nothing %s', async (_how, given) => {
    const { dan, eve } = network;
    const answer = await setStatus(dan, ...given(await newSession(dan), await newSession(eve)));
    expect(answer).toMatchObject({ status: 403, json: { code: 'CSRF_FAILED' } });
  });

  test('is listed beside the keys with what it is, and ended by its owner', async () => {
    const { eve } = network;
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
    const session = sessionOf(await signIn(eve, { username: eve.email, without_password: 'true' }, headers));
    const listed = await send(eve, {
      method: 'GET',
      path: '/json/users/me/api_keys',
      headers: { cookie: session.cookie },
    });
    const keys = listed.json['api_keys'] as {
      id: number;
      label: string;
      expires_at: number | null;
      is_current: boolean;
    }[];
    const own = keys.find(({ is_current }) => is_current);
    expect(own).toMatchObject({ label: 'Firefox on Linux', expires_at: expect.any(Number) });
    expect((await eve.call(getApiKeys, {})).api_keys.find(({ is_current }) => is_current)?.expires_at).toBeNull();
    await eve.call(revokeApiKey, { key_id: own?.id as number });
    expect(await ownProfile(eve, session)).toMatchObject({ status: 401 });
  });

  test('ends when its user signs out; the key of a phone stays', async () => {
    const { eve } = network;
    const [session, elsewhere] = [await newSession(eve), await newSession(eve)];
    const answer = await send(eve, { method: 'POST', path: '/accounts/logout', headers: { cookie: session.cookie } });
    expect(answer).toMatchObject({ status: 303, headers: { location: '/accounts/login' } });
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^sessionid=; .*Expires=Thu, 01 Jan 1970/);
    expect(await ownProfile(eve, session)).toMatchObject({ status: 401 });
    expect(await ownProfile(eve, elsewhere)).toMatchObject({ status: 200 });
    expect((await eve.callRaw({ method: 'GET', path: '/api/v1/users/me' })).status).toBe(200);
  });

  test('is not ended by the form of another site', async () => {
    const { eve } = network;
    const session = await newSession(eve);
    const headers = { cookie: session.cookie, 'sec-fetch-site': 'cross-site' };
    expect(await send(eve, { method: 'POST', path: '/accounts/logout', headers })).toMatchObject({ status: 403 });
    expect(await ownProfile(eve, session)).toMatchObject({ status: 200 });
  });

  test('ends by itself', async () => {
    const { eve } = network;
    const session = await newSession(eve);
    await network
      .database('realm')
      .query('update api_key set expires_at = now() where user_id = $1 and expires_at is not null', [eve.userId]);
    expect(await ownProfile(eve, session)).toMatchObject({ status: 401 });
    await newSession(eve);
    const ended = await network
      .database('realm')
      .query('select from api_key where user_id = $1 and expires_at < now()', [eve.userId]);
    expect(ended).toEqual([]);
  });

  test('ends with the account, and does not come back with it', async () => {
    const { iris, faye } = network;
    const session = await newSession(faye);
    await iris.call(deactivateUser, { user_id: faye.userId });
    expect(await ownProfile(faye, session)).toMatchObject({ status: 401 });
    await network.database('realm').query('update user_account set is_active = true where id = $1', [faye.userId]);
    expect(await ownProfile(faye, session)).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
    expect((await faye.callRaw({ method: 'GET', path: '/api/v1/users/me' })).status).toBe(200);
  });
});

test('a new password ends all sessions but the one that sets it, and no key', async () => {
  const [own, other] = [await newSession(nora), await newSession(nora)];
  const answer = await send(nora, {
    method: 'PATCH',
    path: '/json/settings',
    form: { old_password: PASSWORD, new_password: 'another long and winding road' },
    headers: { cookie: own.cookie, 'x-csrftoken': own.token },
  });
  expect(answer).toMatchObject({ status: 200 });
  expect(await ownProfile(nora, own)).toMatchObject({ status: 200 });
  expect(await ownProfile(nora, other)).toMatchObject({ status: 401 });
  expect((await nora.callRaw({ method: 'GET', path: '/api/v1/users/me' })).status).toBe(200);
});

test('whoever has forgotten the password sets a new one by a link in a mail, which ends all sessions', async () => {
  const session = await newSession(nora);
  const asked = await send(nora, { method: 'POST', path: '/accounts/password/reset', form: { email: nora.email } });
  expect(asked).toMatchObject({ status: 200, text: expect.stringContaining('Look into your mail') });
  const [mail] = (await mailsTo(MAILS, nora.email)) as [string];
  const link = /https?:\/\/[^/\s]+(\/accounts\/password\/reset\/[\w-]+)/.exec(mail)?.[1] as string;
  const page = await send(nora, { method: 'GET', path: link });
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('autocomplete="new-password"') });
  const choose = (password: string, headers = {}) =>
    send(nora, { method: 'POST', path: link, form: { password }, headers });
  expect(await choose(PASSWORD, { 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 });
  expect(await choose('password')).toMatchObject({ status: 400, text: expect.stringContaining('role="alert"') });
  expect(await ownProfile(nora, session)).toMatchObject({ status: 200 });
  expect(await choose('forget me not, winding road')).toMatchObject({ status: 200 });
  expect(await ownProfile(nora, session)).toMatchObject({ status: 401 });
  expect(await choose(PASSWORD)).toMatchObject({ status: 404, text: expect.stringContaining('was used before') });
  const signedIn = await signIn(nora, { username: nora.email, password: 'forget me not, winding road' });
  expect(signedIn.status).toBe(303);
});

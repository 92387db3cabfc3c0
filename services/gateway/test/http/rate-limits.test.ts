import { createFakeClock } from '@parley/shared/testing';
import { signToken } from '../../src/uploads/temporary-token';
import { eg } from '../eg';
import { basic, formBody, IAGO, startGateway, type TestGateway } from '../gateway';

const BOB = { email: 'bob@acme.example', key: eg.key('b') };
const STRANGER = { email: 'iago@acme.example', key: eg.key('x') };
const TOKEN_SECRET = 's'.repeat(32);

let gateway: TestGateway;
const clock = createFakeClock();
beforeAll(async () => {
  gateway = await startGateway(
    {
      ...{ RATE_LIMITS: true, ACCOUNT_REQUESTS_PER_MINUTE: 4, ADDRESS_REQUESTS_PER_MINUTE: 3, TRUSTED_PROXIES: [] },
      UPLOAD_TOKEN_SECRET: TOKEN_SECRET,
      ...{ SEARCHES_PER_MINUTE: 2, REGISTRATIONS_PER_MINUTE: 2, UPLOADS_PER_MINUTE: 2, SIGN_INS_PER_MINUTE: 2 },
      ...{ UPLOAD_PARTS_PER_MINUTE: 2, DOWNLOADS_PER_MINUTE: 7, POLLS_PER_MINUTE: 2 },
    },
    { clock },
  );
  gateway.realm.addAccount(BOB.email, BOB.key, { ...eg.authentication(), userId: 77 });
});
// Every bucket is full again.
beforeEach(() => {
  clock.advance(60_000);
});
afterAll(() => gateway.stop());

const get = (path: string, as: typeof IAGO | false = IAGO) => gateway.request({ path: `/api/v1${path}`, as });
const SEND = {
  method: 'POST',
  path: '/api/v1/messages',
  ...formBody({ type: 'channel', to: '7', topic: 't', content: 'c' }),
};

async function statuses(count: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const answers = [];
  for (let n = 0; n < count; n += 1) answers.push((await ask()).status);
  return answers;
}

describe('an account', () => {
  test('is shown the remaining requests, and refused at zero', async () => {
    const { headers } = await get('/users/me');
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '4',
      'x-ratelimit-remaining': '3',
      'x-ratelimit-reset': String(Math.ceil(clock.now() / 1000) + 15),
    });
    await statuses(3, () => get('/users/me'));
    const refused = await get('/users/me');
    expect(refused).toMatchObject({
      status: 429,
      json: { result: 'error', code: 'RATE_LIMIT_HIT', msg: 'API usage exceeded rate limit', 'retry-after': 15 },
    });
    expect(refused.headers).toMatchObject({
      'retry-after': '15',
      'x-ratelimit-limit': '4',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Math.ceil(clock.now() / 1000) + 60),
    });
    clock.advance(15_000);
    expect((await get('/users/me')).status).toBe(200);
  });

  test('has one bucket for the hot endpoints and all others; another account has its own', async () => {
    expect(await statuses(3, () => gateway.request(SEND))).toEqual([200, 200, 200]);
    expect(await statuses(2, () => get('/users/me'))).toEqual([200, 429]);
    expect((await gateway.request(SEND)).status).toBe(429);
    expect((await get('/users/me', BOB)).status).toBe(200);
  });

  test('is not counted for requests that clients repeat by themselves', async () => {
    const answers = await statuses(6, () => get('/events'));
    expect(answers).toEqual(Array(6).fill(400));
    const { headers } = await get('/events');
    expect(headers).not.toHaveProperty('x-ratelimit-limit');
    const presence = { method: 'POST', path: '/api/v1/users/me/presence', ...formBody({ status: 'active' }) };
    expect(await statuses(6, () => gateway.request(presence))).not.toContain(429);
    expect((await get('/users/me')).headers).toMatchObject({ 'x-ratelimit-remaining': '3' });
  });
});

describe('expensive requests have buckets of their own', () => {
  const post = (path: string, form: Record<string, string>, as: typeof IAGO | false = IAGO) =>
    gateway.request({ method: 'POST', path: `/api/v1${path}`, as, ...formBody(form) });
  const search = encodeURIComponent(JSON.stringify([{ operator: 'search', operand: 'soup' }]));
  const read = encodeURIComponent(JSON.stringify([{ operator: 'is', operand: 'starred' }]));
  const inNarrow = (narrow: string) => ({
    anchor: 'newest',
    num_before: '1',
    num_after: '1',
    narrow,
    op: 'add',
    flag: 'read',
  });

  test.each([
    ['a search', () => get(`/messages?anchor=newest&num_before=1&num_after=0&narrow=${search}`)],
    ['a search whose finds are marked', () => post('/messages/flags/narrow', inNarrow(decodeURIComponent(search)))],
    ['a registration', () => post('/register', {})],
    ['an upload', () => post('/user_uploads', {})],
    ['a question for events that does not wait', () => get('/events?dont_block=true')],
    ['a sign-in', () => post('/fetch_api_key', { username: IAGO.email, password: 'p' }, false)],
  ])('%s', async (_what, ask) => {
    const all = await statuses(2, ask);
    expect(all).not.toContain(429);
    const refused = await ask();
    expect(refused).toMatchObject({ status: 429, json: { code: 'RATE_LIMIT_HIT', 'retry-after': 30 } });
    expect(refused.headers).toMatchObject({
      ...{ 'retry-after': '30', 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' },
    });
    // All other requests are still accepted, for all users.
    for (const somebody of [IAGO, BOB]) expect((await get('/users/me', somebody)).status).toBe(200);
  });

  test('an upload in parts, too, refused in the form of its protocol', async () => {
    const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '5' };
    const begin = () => gateway.request({ method: 'POST', path: '/api/v1/tus/', headers });
    expect(await statuses(1, () => post('/user_uploads', {}))).not.toContain(429);
    expect(await statuses(1, begin)).not.toContain(429);
    expect(await begin()).toMatchObject({
      ...{ status: 429, json: { message: 'API usage exceeded rate limit' } },
      headers: { 'retry-after': '30', 'x-ratelimit-limit': '2' },
    });
  });

  test('the parts of an upload, and asking how far it has come', async () => {
    const path = '/api/v1/tus/1/aa/ABCDEFGHIJKLMNOPQRSTUVWX/film.mp4';
    const headers = { 'Tus-Resumable': '1.0.0' };
    expect(await statuses(2, () => gateway.request({ method: 'HEAD', path, headers }))).not.toContain(429);
    const part = { ...headers, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
    expect(await gateway.request({ method: 'PATCH', path, headers: part })).toMatchObject({
      ...{ status: 429, headers: { 'retry-after': '30', 'x-ratelimit-limit': '2' } },
    });
    expect((await get('/users/me')).status).toBe(200);
  });

  test.each([
    ['a file', '/user_uploads/1/aa/ABCDEFGHIJKLMNOPQRSTUVWX/film.mp4'],
    ['a thumbnail', '/user_uploads/thumbnail/1/aa/ABCDEFGHIJKLMNOPQRSTUVWX/film.png/840x560.webp'],
  ])('%s', async (_what, path) => {
    expect(await statuses(7, () => gateway.request({ path }))).not.toContain(429);
    expect(await gateway.request({ path })).toMatchObject({ status: 429, headers: { 'x-ratelimit-limit': '7' } });
    expect((await get('/users/me')).status).toBe(200);
  });

  test('and the headers show the bucket with fewer requests left', async () => {
    const reading = () => get(`/messages?anchor=newest&num_before=1&num_after=0&narrow=${read}`);
    expect((await post('/register', {})).headers).toMatchObject({ 'x-ratelimit-remaining': '1' });
    expect((await reading()).headers).toMatchObject({ 'x-ratelimit-limit': '4', 'x-ratelimit-remaining': '2' });
    await statuses(2, reading);
    expect(await reading()).toMatchObject({ status: 429, headers: { 'x-ratelimit-limit': '4' } });
  });
});

describe('an address', () => {
  test('is counted for requests without valid credentials', async () => {
    expect(await statuses(4, () => get('/server_settings', false))).toEqual([200, 200, 200, 429]);
    expect((await get('/users/me')).status).toBe(200);
  });

  test.each([
    ['no credentials', () => get('/users/me', false)],
    ['no credentials, on a hot endpoint', () => gateway.request({ ...SEND, as: false })],
    ['a wrong key', () => get('/users/me', STRANGER)],
    [
      'a wrong key, on a hot endpoint',
      () => gateway.request({ ...SEND, headers: { ...SEND.headers, Authorization: basic(STRANGER) } }),
    ],
    ['a malformed key', () => get('/users/me', { ...STRANGER, key: 'x' })],
    [
      'a malformed key, on a hot endpoint',
      () => gateway.request({ ...SEND, headers: { ...SEND.headers, Authorization: basic({ ...STRANGER, key: 'x' }) } }),
    ],
  ])('is counted when it shows %s', async (_case, ask) => {
    expect(await statuses(4, ask)).toEqual([401, 401, 401, 429]);
  });

  test('cannot try keys once its bucket is empty, but remembered keys still work', async () => {
    await get('/users/me');
    await statuses(3, () => get('/users/me', STRANGER));
    const asked = gateway.realm.seen.filter(({ method }) => method === 'authenticate').length;
    expect(await get('/users/me', { ...STRANGER, key: eg.key('y') })).toMatchObject({ status: 429 });
    expect(gateway.realm.seen.filter(({ method }) => method === 'authenticate')).toHaveLength(asked);
    expect((await get('/users/me')).status).toBe(200);
  });

  test('can try keys as long as no wrong keys came from it, regardless of other requests', async () => {
    const cara = { email: 'cara@acme.example', key: eg.key('c') };
    gateway.realm.addAccount(cara.email, cara.key, { ...eg.authentication(), userId: 78 });
    expect(await statuses(4, () => get('/users/me', false))).toEqual([401, 401, 401, 429]);
    expect((await get('/users/me', cara)).status).toBe(200);
  });

  test.each(['/join/abcdefgh/', '/accounts/do_confirm/abcdefgh', '/accounts/confirm_new_email/abcdefgh'])(
    'is counted where a path holds a key, and refused with a page: %s',
    async (path) => {
      const open = () => gateway.request({ path, as: false });
      await statuses(3, open);
      expect(await open()).toMatchObject({
        ...{
          status: 429,
          text: expect.stringContaining('<p role="alert">There were too many attempts. Try again later.</p>'),
        },
        headers: { 'content-type': 'text/html; charset=utf-8', 'retry-after': '20' },
      });
    },
  );

  test('is counted when a file address has expired; parts of a file count as downloads', async () => {
    const open = () => gateway.request({ path: '/user_uploads/temporary/x.y/film.mp4', as: false });
    expect(await statuses(4, open)).toEqual([400, 400, 400, 429]);
    clock.advance(60_000);
    const film = { pathId: '1/aa/film.mp4', contentType: 'video/mp4', size: 5 };
    const token = signToken(film, TOKEN_SECRET, clock.now());
    const part = () => gateway.request({ path: `/user_uploads/temporary/${token}/film.mp4`, as: false });
    expect(await statuses(7, part)).not.toContain(429);
    expect((await part()).status).toBe(429);
  });

  test('is not counted for probes', async () => {
    expect(await statuses(5, () => gateway.request({ path: '/health/live', as: false }))).not.toContain(429);
  });

  test('is passed on with sign-ins, which realm counts', async () => {
    gateway.realm.answers.fetchApiKey = async () => ({ apiKey: eg.key('n'), deliveryEmail: IAGO.email, userId: 5 });
    await gateway.request({
      method: 'POST',
      path: '/api/v1/fetch_api_key',
      as: false,
      ...formBody({ username: IAGO.email, password: 'p' }),
    });
    expect(gateway.realm.last('fetchApiKey')).toMatchObject({ address: '127.0.0.1' });
  });
});

describe('the client address is passed on with requests that may be audited:', () => {
  const asked = (method: string) => gateway.realm.seen.findLast((seen) => seen.method === method)?.call;

  test.each([
    ['a question of a user', 'getBotApiKey', () => get('/bots/5/api_key')],
    [
      'a page',
      'confirmEmailChange',
      () => gateway.request({ method: 'POST', path: '/accounts/confirm_new_email/abc' }),
    ],
    [
      'what anybody may ask',
      'getRealm',
      () => gateway.request({ path: '/api/v1/server_settings', as: false, headers: { Host: 'acme.chat.example' } }),
    ],
  ])('%s', async (_what, method, ask) => {
    await ask();
    expect(asked(method)).toMatchObject({ clientAddress: '127.0.0.1' });
  });
});

test('RATE_LIMITS=off disables all limits', async () => {
  const free = await startGateway({
    RATE_LIMITS: false,
    ACCOUNT_REQUESTS_PER_MINUTE: 1,
    ADDRESS_REQUESTS_PER_MINUTE: 1,
    SIGN_INS_PER_MINUTE: 1,
  });
  const ask = (as: typeof IAGO | false) => free.request({ path: '/api/v1/users/me', as });
  expect(await statuses(3, () => ask(IAGO))).toEqual([200, 200, 200]);
  expect(await statuses(3, () => ask(false))).toEqual([401, 401, 401]);
  expect((await ask(IAGO)).headers).not.toHaveProperty('x-ratelimit-limit');
  await free.stop();
});

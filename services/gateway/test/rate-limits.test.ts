import { createFakeClock } from '@parley/shared/testing';
import { eg } from './eg';
import { basic, formBody, IAGO, startGateway, type TestGateway } from './gateway';

const BOB = { email: 'bob@acme.example', key: eg.key('b') };
const STRANGER = { email: 'iago@acme.example', key: eg.key('x') };

let gateway: TestGateway;
const clock = createFakeClock();
beforeAll(async () => {
  gateway = await startGateway(
    { RATE_LIMITS: true, ACCOUNT_REQUESTS_PER_MINUTE: 4, ADDRESS_REQUESTS_PER_MINUTE: 3, TRUSTED_PROXIES: [] },
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
  test('is told what is left, and refused when nothing is', async () => {
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

  test('is not counted where clients come all the time by themselves', async () => {
    const answers = await statuses(6, () => get('/events'));
    expect(answers).toEqual(Array(6).fill(400));
    const { headers } = await get('/events');
    expect(headers).not.toHaveProperty('x-ratelimit-limit');
    const presence = { method: 'POST', path: '/api/v1/users/me/presence', ...formBody({ status: 'active' }) };
    expect(await statuses(6, () => gateway.request(presence))).not.toContain(429);
    expect((await get('/users/me')).headers).toMatchObject({ 'x-ratelimit-remaining': '3' });
  });
});

describe('an address', () => {
  test('is counted of whoever is not signed in', async () => {
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
  ])('is counted when it shows %s', async (_case, ask) => {
    expect(await statuses(4, ask)).toEqual([401, 401, 401, 429]);
  });

  test('has no more keys tried once it is spent, but those that are known stay good', async () => {
    await get('/users/me');
    await statuses(3, () => get('/users/me', STRANGER));
    const asked = gateway.realm.seen.filter(({ method }) => method === 'authenticate').length;
    expect(await get('/users/me', { ...STRANGER, key: eg.key('y') })).toMatchObject({ status: 429 });
    expect(gateway.realm.seen.filter(({ method }) => method === 'authenticate')).toHaveLength(asked);
    expect((await get('/users/me')).status).toBe(200);
  });

  test('is counted where a path holds a key', async () => {
    const open = () => gateway.request({ path: '/join/abcdefgh/', as: false });
    expect((await statuses(4, open)).at(-1)).toBe(429);
  });

  test('is not counted for files that anybody may have, nor for probes', async () => {
    expect(await statuses(5, () => gateway.request({ path: '/health/live', as: false }))).not.toContain(429);
  });

  test('is told to whoever counts sign-ins', async () => {
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

test('RATE_LIMITS=off counts nobody', async () => {
  const free = await startGateway({
    RATE_LIMITS: false,
    ACCOUNT_REQUESTS_PER_MINUTE: 1,
    ADDRESS_REQUESTS_PER_MINUTE: 1,
  });
  const ask = (as: typeof IAGO | false) => free.request({ path: '/api/v1/users/me', as });
  expect(await statuses(3, () => ask(IAGO))).toEqual([200, 200, 200]);
  expect(await statuses(3, () => ask(false))).toEqual([401, 401, 401]);
  expect((await ask(IAGO)).headers).not.toHaveProperty('x-ratelimit-limit');
  await free.stop();
});

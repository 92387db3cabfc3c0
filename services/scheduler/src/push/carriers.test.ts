import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createOutsideHttp, parseAllowList } from '@parley/shared/outside-http';
import { createFakeClock } from '@parley/shared/testing';
import { Webhook } from 'standardwebhooks';
import type { Carried } from './carriers';
import type { Note } from './compose-note';
import { createPushCarriers } from './create-carriers';
import type { PushDevice } from './push-devices.sql';
import { vapidPublicKey } from './web-push';

const privateKey = Buffer.alloc(32, 7).toString('base64url');
const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const clock = createFakeClock();
const requests: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
let answer = { status: 201, body: '', headers: {} as Record<string, string> };
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    requests.push({ url: request.url as string, headers: request.headers, body: await text(request) });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requests.length = 0;
  answer = { status: 201, body: '', headers: {} };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const carriersOf = (allow: string, gateway: object = {}) =>
  createPushCarriers(
    { EXTERNAL_HOST: 'parley.test', VAPID_PRIVATE_KEY: privateKey, ...gateway },
    { outside: createOutsideHttp({ allow: parseAllowList(allow) }), clock },
  );
const device = (over: Partial<PushDevice>): PushDevice => ({
  ...{ realmId: 1, id: 2, userId: 3, kind: 'web', token: `${origin}/ann`, appId: null, apiKeyId: 4, registeredAtMs: 0 },
  ...{ p256dh: vapidPublicKey(privateKey), auth: Buffer.alloc(16).toString('base64url') },
  ...over,
});
const note: Note = { type: 'close', tag: 'channel/5/lunch' };
const shown: Note = {
  tag: note.tag,
  type: 'show',
  title: 't',
  body: 'b',
  path: '/',
  lang: 'en',
  is_new: true,
  messages: [],
};
const toBrowser = (over: Partial<PushDevice> = {}, allow = '127.0.0.1', what: Note = note) =>
  carriersOf(allow).web?.(device(over), what, 'https://parley.test') as Promise<Carried>;

test('push services get a signed, encrypted request that replaces those about the same conversation', async () => {
  expect(await toBrowser({}, '127.0.0.1', shown)).toEqual({ kind: 'sent' });
  expect(await toBrowser()).toEqual({ kind: 'sent' });
  const [first, second] = requests;
  expect(first).toMatchObject({
    url: '/ann',
    headers: {
      ...{ ttl: '86400', urgency: 'high', 'content-encoding': 'aes128gcm' },
      topic: expect.stringMatching(/^[\w-]{32}$/),
      authorization: expect.stringMatching(/^vapid t=\S+, k=[\w-]{87}$/),
    },
  });
  expect(first?.body).not.toContain('tag');
  expect(second?.headers).toMatchObject({ urgency: 'normal', topic: first?.headers['topic'] });
});

test.each([
  [200, { kind: 'sent' }],
  [404, { kind: 'gone' }],
  [410, { kind: 'gone' }],
  [400, { kind: 'refused', reason: 'status 400' }],
  [413, { kind: 'refused', reason: 'status 413' }],
  [302, { kind: 'refused', reason: 'status 302' }],
  [429, { kind: 'retry', reason: 'status 429', afterMs: 120_000 }],
  [503, { kind: 'retry', reason: 'status 503', afterMs: 120_000 }],
])('a push service that answers %d', async (status, carried) => {
  answer = { status, body: '', headers: { 'retry-after': '120' } };
  expect(await toBrowser()).toEqual(carried);
});

test('addresses that may not be reached are forgotten, others are tried again', async () => {
  expect(await toBrowser({}, '')).toEqual({ kind: 'gone' });
  expect(await toBrowser({ token: 'http://127.0.0.1:1/' })).toMatchObject({ kind: 'retry', reason: 'no-connection' });
});

test('without settings nothing leaves, and half of them are refused', () => {
  const make = (config: object) =>
    createPushCarriers({ EXTERNAL_HOST: 'parley.test', ...config }, { outside: undefined as never, clock });
  expect(make({})).toEqual({ web: null, apns: null, fcm: null });
  expect(() => make({ PUSH_GATEWAY_URL: 'https://gateway.test' })).toThrow('PUSH_GATEWAY_KEY');
  expect(() => make({ VAPID_PRIVATE_KEY: 'A'.repeat(43) })).toThrow('VAPID_PRIVATE_KEY');
});

describe('a gateway for phones', () => {
  const gateway = () => carriersOf('', { PUSH_GATEWAY_URL: `${origin}/notify`, PUSH_GATEWAY_KEY: secret });
  const results = (...statuses: string[]) =>
    JSON.stringify({ results: statuses.map((status, at) => ({ id: `${at}`, status, retry_after: 7 })) });
  const toPhones = (count: number) => {
    const carrier = gateway().fcm as NonNullable<ReturnType<typeof gateway>['fcm']>;
    const phones = Array.from({ length: count }, (_, at) => device({ kind: 'fcm', token: `t${at}` }));
    return Promise.all(phones.map((phone) => carrier(phone, note, 'https://acme.parley.test')));
  };

  test('gets what is sent at one moment in one signed request, and answers for each phone', async () => {
    answer = { status: 200, body: results('sent', 'gone', 'retry', 'refused'), headers: {} };
    expect(await toPhones(5)).toEqual([
      { kind: 'sent' },
      { kind: 'gone' },
      { kind: 'retry', reason: expect.any(String), afterMs: 7_000 },
      { kind: 'refused', reason: expect.any(String) },
      { kind: 'retry', reason: expect.stringContaining('lacks'), afterMs: 0 },
    ]);
    expect(requests).toHaveLength(1);
    const [{ url, headers, body } = { url: '', headers: {}, body: '' }] = requests;
    expect(url).toBe('/notify');
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
    expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(headers['webhook-id'] as string, sentAt, body));
    expect(JSON.parse(body)).toMatchObject({
      version: 1,
      notifications: [
        { id: '0', kind: 'fcm', token: 't0', realm_url: 'https://acme.parley.test', user_id: 3, note },
        ...['1', '2', '3', '4'].map((id) => ({ id })),
      ],
    });
  });

  test.each([
    [500, ''],
    [400, results('sent')],
    [200, 'no JSON'],
    [200, '{"results":[{"id":"0","status":"maybe"}]}'],
  ])('that answers %d %s is asked again', async (status, body) => {
    answer = { status, body, headers: { 'retry-after': '60' } };
    expect(await toPhones(1)).toMatchObject([{ kind: 'retry', afterMs: 60_000 }]);
  });
});

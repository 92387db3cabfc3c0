import { UnauthorizedError } from '@parley/shared/errors';
import type { Authentication } from '@parley/shared/proto';
import { getOwnUser, sendMessage } from '../../src/endpoints';
import { eg } from '../eg';
import { basic, formBody, IAGO, startGateway, type TestGateway } from '../gateway';
import type { SeenCall } from '../peers';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const encoded = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;
const MALFORMED = 'Invalid authorization header for basic auth';

describe('a request without good credentials is refused:', () => {
  test.each([
    ['none', undefined, 'Not logged in: API authentication or user session required'],
    ['a scheme without credentials', 'Basic', MALFORMED],
    ['more than two words', 'Basic a b', MALFORMED],
    ['nothing that decodes', 'Basic ****', MALFORMED],
    ['no colon', encoded('iago@acme.example'), MALFORMED],
    ['two colons', encoded(`iago@acme.example:${IAGO.key}:`), MALFORMED],
    ['no UTF-8', `Basic ${Buffer.from([0xff, 0x3a, 0x61]).toString('base64')}`, MALFORMED],
    ['a null byte', encoded(`iago\0:${IAGO.key}`), MALFORMED],
    ['a short key', encoded('iago@acme.example:abc'), 'Malformed API key'],
    ['a key with other characters', encoded(`iago@acme.example:${'-'.repeat(32)}`), 'Malformed API key'],
    ['an unknown user', encoded(`nobody@acme.example:${IAGO.key}`), 'Invalid API key'],
    ['a wrong key', encoded(`iago@acme.example:${eg.key('w')}`), 'Invalid API key'],
  ])('%s', async (_case, authorization, msg) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization };
    const answer = await gateway.request({ path: '/api/v1/users/me', as: false, headers });
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual({ result: 'error', code: 'UNAUTHORIZED', msg });
    expect(answer.headers['www-authenticate']).toMatch(/^Basic realm="/);
  });

  test('a scheme that is not Basic is a bad request', async () => {
    const answer = await gateway.request({
      path: '/api/v1/users/me',
      as: false,
      headers: { Authorization: 'Bearer x' },
    });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'This endpoint requires HTTP basic authentication.',
    });
    expect(answer.headers).not.toHaveProperty('www-authenticate');
  });

  test.each([
    ['user_deactivated', 'USER_DEACTIVATED', 'Account is deactivated'],
    ['realm_deactivated', 'REALM_DEACTIVATED', 'This organization has been deactivated'],
    ['wrong_subdomain', 'UNAUTHORIZED', 'Account is not associated with this subdomain'],
  ])('%s', async (outcome, code, msg) => {
    const as = { email: `${outcome}@acme.example`, key: eg.key('o') };
    gateway.realm.addAccount(as.email, as.key, eg.authentication({ outcome }));
    const answer = await gateway.request({ path: '/api/v1/users/me', as });
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual({ result: 'error', code, msg });
    expect(answer.headers).toHaveProperty('www-authenticate');
  });

  test('a bot that only receives webhook calls, unless it sends a message', async () => {
    const as = { email: 'hook-bot@acme.example', key: eg.key('h') };
    gateway.realm.addAccount(as.email, as.key, eg.authentication({ userId: 12, isBot: true, botType: 2 }));
    const refused = await gateway.request({ path: '/api/v1/users/me', as });
    expect(refused.status).toBe(401);
    expect(refused.json.msg).toBe('This API is not available to incoming webhook bots.');
    const form = { type: 'channel', to: 'social', topic: 't', content: 'c' };
    const sent = await gateway.request({ method: 'POST', path: '/api/v1/messages', as, ...formBody(form) });
    expect(sent.status).toBe(200);
  });
});

describe('good credentials', () => {
  test('reach realm as a hash, with the organization that the Host names', async () => {
    const headers = { Host: 'Zeta.chat.example' };
    await gateway.request({ path: '/api/v1/users/me', headers });
    const { credentials } = gateway.realm.last<{ credentials: { subdomain: string; apiKeyHash: Buffer }[] }>(
      'authenticate',
    );
    expect(credentials[0]).toMatchObject({ subdomain: 'zeta', email: IAGO.email });
    expect(credentials[0]?.apiKeyHash).toHaveLength(32);
    expect(JSON.stringify(gateway.realm.seen)).not.toContain(IAGO.key);
  });

  test('may name the scheme in any casing', async () => {
    const headers = { Authorization: basic(IAGO).replace('Basic', 'bASIC') };
    expect((await gateway.request({ path: '/api/v1/users/me', as: false, headers })).status).toBe(200);
  });

  test('make the call on behalf of their owner', async () => {
    await gateway.call(getOwnUser, {});
    const { call } = gateway.realm.seen.filter(({ method }) => method === 'getOwnAccount').at(-1) as { call: object };
    expect(call).toMatchObject({ realmId: 2, userId: 11 });
  });

  test('are not remembered: a revoked key fails from the next request on', async () => {
    const as = { email: 'eve@acme.example', key: eg.key('e') };
    gateway.realm.addAccount(as.email, as.key, eg.authentication({ userId: 13 }));
    expect((await gateway.request({ path: '/api/v1/users/me', as })).status).toBe(200);
    gateway.realm.addAccount(as.email, as.key, eg.authentication({ outcome: 'unknown' }));
    expect((await gateway.request({ path: '/api/v1/users/me', as })).status).toBe(401);
  });

  test('of concurrent requests are checked together, each getting its own answer', async () => {
    const before = gateway.realm.seen.filter(({ method }) => method === 'authenticate').length;
    const wrong = { email: IAGO.email, key: eg.key('w') };
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        gateway.request({ path: '/api/v1/users/me', as: index % 2 === 0 ? IAGO : wrong }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, index) => (index % 2 === 0 ? 200 : 401)));
    const calls = gateway.realm.seen.filter(({ method }) => method === 'authenticate').length - before;
    expect(calls).toBeLessThan(40);
  });

  test('are checked before parameters: without them parameter errors are not shown', async () => {
    const answer = await gateway.request({ method: 'POST', path: '/api/v1/messages', as: false, ...formBody({}) });
    expect(answer.status).toBe(401);
    expect((await gateway.call(sendMessage, { type: 'channel' } as never)).status).toBe(400);
  });
});

describe('a recalled credential', () => {
  const send = (as: { email: string; key: string }, form: Record<string, string> = {}) => {
    const message = { type: 'channel', to: 'social', topic: 't', content: 'c', ...form };
    return gateway.request({ method: 'POST', path: '/api/v1/messages', as, ...formBody(message) });
  };
  const questions = () => gateway.realm.seen.filter(({ method }) => method === 'authenticate').length;
  const account = (letter: string, over: Partial<Authentication> = {}) => {
    const as = { email: `${letter}@acme.example`, key: eg.key(letter) };
    gateway.realm.addAccount(as.email, as.key, eg.authentication({ userId: 15, apiKeyId: 77, ...over }));
    return as;
  };

  test('asks realm once, and passes on the credential to confirm', async () => {
    const as = account('p');
    const before = questions();
    for (let round = 0; round < 3; round += 1) expect((await send(as)).status).toBe(200);
    expect(questions()).toBe(before + 1);
    const { call } = gateway.messages.seen.findLast(({ method }) => method === 'sendMessage') as SeenCall;
    expect(call).toMatchObject({ credential: { apiKeyId: 77, email: as.email, subdomain: '', role: 400 } });
  });

  test('a key revoked since then is refused with the current reason', async () => {
    const as = account('q');
    expect((await send(as)).status).toBe(200);
    account('q', { outcome: 'user_deactivated' });
    const { sendMessage: answers } = gateway.messages.answers;
    gateway.messages.answers.sendMessage = () => Promise.reject(new UnauthorizedError('Invalid API key'));
    const refused = await send(as);
    gateway.messages.answers.sendMessage = answers;
    expect(refused).toMatchObject({ status: 401, json: { code: 'USER_DEACTIVATED' } });
    expect((await send(as)).status).toBe(401);
  });

  test('the error of a credential that is no longer valid comes before all other errors', async () => {
    const as = account('r');
    expect((await send(as)).status).toBe(200);
    account('r', { outcome: 'unknown' });
    expect(await send(as, { type: 'pigeon' })).toMatchObject({ status: 401, json: { msg: 'Invalid API key' } });
  });

  test('a wrong key for a remembered account is refused', async () => {
    const as = account('s');
    expect((await send(as)).status).toBe(200);
    expect((await send({ ...as, key: eg.key('t') })).status).toBe(401);
  });

  test('is checked before the answer where no call has confirmed it', async () => {
    const as = account('u');
    const before = questions();
    for (let round = 0; round < 2; round += 1) {
      expect(await gateway.request({ path: '/api/v1/messages?num_before=-1', as })).toMatchObject({ status: 400 });
    }
    expect(questions()).toBe(before + 2);
    account('u', { outcome: 'unknown' });
    expect((await gateway.request({ path: '/api/v1/messages?num_before=-1', as })).status).toBe(401);
  });

  test('is good again: the request is made once more', async () => {
    const as = account('v');
    expect((await gateway.request({ path: '/api/v1/users/me', as })).status).toBe(200);
    account('v', { apiKeyId: 78, role: 200 });
    expect((await gateway.request({ path: '/api/v1/users/me', as })).status).toBe(200);
  });
});

describe('a browser', () => {
  const send = (site: string | undefined, more: Record<string, string> = {}, method = 'POST') =>
    gateway.request({
      method,
      path: '/api/v1/users/me/status',
      headers: { ...(site !== undefined && { 'Sec-Fetch-Site': site }), ...more },
    });

  test.each(['cross-site', 'same-site'])(
    'cannot make changes with credentials from a page that is %s',
    async (site) => {
      expect(await send(site)).toMatchObject({
        status: 403,
        json: { code: 'BAD_REQUEST', msg: 'Requests from pages of other sites need a header X-Requested-With' },
      });
      expect((await gateway.request({ path: '/api/v1/users/me', headers: { 'Sec-Fetch-Site': site } })).status).toBe(
        200,
      );
    },
  );

  test.each(['same-origin', 'none', undefined])('may where the site is %s', async (site) => {
    expect((await send(site)).status).not.toBe(403);
  });

  test('may from a script that sends a header that pages of other sites cannot add', async () => {
    expect((await send('cross-site', { 'X-Requested-With': 'client' })).status).not.toBe(403);
  });

  test.each([
    ['a hot endpoint', '/api/v1/messages'],
    ['an upload', '/api/v1/user_uploads'],
    ['an upload in parts', '/api/v1/tus/'],
  ])('nor at %s', async (_what, path) => {
    const headers = { 'Sec-Fetch-Site': 'cross-site', 'Tus-Resumable': '1.0.0' };
    expect((await gateway.request({ method: 'POST', path, headers })).status).toBe(403);
  });

  test.each([
    ['opens a page', { 'Sec-Fetch-Mode': 'navigate' }],
    ['shows a picture', { 'Sec-Fetch-Mode': 'no-cors' }],
    ['wants a page', { Accept: 'text/html,application/xhtml+xml' }],
  ])('that %s gets no request for credentials, which it would remember', async (_what, headers) => {
    for (const path of ['/api/v1/users/me', '/user_uploads/1/aa/ABCDEFGHIJKLMNOPQRSTUVWX/film.mp4']) {
      const answer = await gateway.request({ path, as: false, headers });
      expect(answer.status).toBe(401);
      expect(answer.headers).not.toHaveProperty('www-authenticate');
    }
  });

  test('that runs a client gets one, and so do programs', async () => {
    for (const headers of [{ 'Sec-Fetch-Mode': 'cors', Accept: '*/*' }, {}]) {
      const answer = await gateway.request({ path: '/api/v1/users/me', as: false, headers });
      expect(answer.headers).toHaveProperty('www-authenticate');
    }
  });
});

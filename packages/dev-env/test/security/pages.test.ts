import { createHash } from 'node:crypto';
import { deactivateRealm, deactivateUser, getOwnUser } from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { createFakeClock } from '@parley/shared/testing';
import { ROLES } from '@parley/shared/values';
import { type TestClient, TestNetwork } from '../../src';
import type { RawAnswer, RawRequest } from '../../src/network/test-client';

const PASSWORD = 'a long and winding road';
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ clock: createFakeClock() });
});
afterAll(() => network.stop());

/** Sends a request as a browser that is not signed in. */
function open(request: Partial<RawRequest> & { path: string }, { callRaw }: TestClient = network.dan) {
  return callRaw({ method: 'GET', ...request, headers: { authorization: null, ...BROWSER, ...request.headers } });
}

const atHost = (host: string, request: Partial<RawRequest> & { path: string }): Promise<RawAnswer> =>
  open({ ...request, headers: { ...request.headers, host } });

const choose = (organization: string) =>
  atHost('nowhere.parley.test', { method: 'POST', path: '/accounts/go', form: { organization } });

describe('at an address without an organization', () => {
  test('the sign-in page leads to the choice of one', async () => {
    const answer = await atHost('nowhere.parley.test', { path: '/accounts/login' });
    expect(answer).toMatchObject({ status: 303, headers: { location: '/accounts/go' } });
    const page = await atHost('nowhere.parley.test', { path: '/accounts/go' });
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('acme or acme.parley.test.') });
    // Browsers follow the redirect after a form only if the policy allows it.
    expect(page.headers['content-security-policy']).toContain(
      "form-action 'self' https://parley.test https://*.parley.test;",
    );
  });

  test('other pages say so, and lead there as well', async () => {
    for (const path of ['/accounts/password/reset', '/join/abcdefgh/']) {
      const answer = await atHost('nowhere.parley.test', { path });
      expect(answer).toMatchObject({ status: 404, text: expect.stringContaining('<a href="/accounts/go">') });
    }
  });

  test.each(['away', ' AWAY ', 'away.parley.test', 'https://away.parley.test/#narrow'])(
    'naming an organization leads to its sign-in page: %j',
    async (organization) => {
      const location = 'https://away.parley.test/accounts/login';
      expect(await choose(organization)).toMatchObject({ status: 303, headers: { location } });
    },
  );

  test('the organization of the root domain is named by its address', async () => {
    const location = 'https://parley.test/accounts/login';
    expect(await choose('parley.test')).toMatchObject({ status: 303, headers: { location } });
  });

  test.each(['nowhere', '', 'evil.example', 'https://away.parley.test@evil.example', '"><b>', 'x'.repeat(5_000)])(
    'what names none is said in words: %#',
    async (organization) => {
      const answer = await choose(organization);
      expect(answer).toMatchObject({
        status: 404,
        text: expect.stringContaining('This server has no such organization.'),
      });
      expect(answer.headers['location']).toBeUndefined();
      expect(answer.text).not.toContain('<b>');
      expect(answer.text.length).toBeLessThan(5_000);
    },
  );
});

describe('an account that is deactivated', () => {
  let gone: TestClient;
  beforeAll(async () => {
    const account = { email: 'gone@example.com', fullName: 'Gone', role: ROLES.member, password: PASSWORD };
    gone = network.clientOf(await network.realmService.createUser(newCall(), { subdomain: '', ...account }));
    await network.iris.call(deactivateUser, { user_id: gone.userId });
  });

  const signIn = (password: string) =>
    open({ method: 'POST', path: '/accounts/login', form: { username: gone.email, password } });

  test('is told so after the right password, with what to do', async () => {
    const answer = await signIn(PASSWORD);
    expect(answer).toMatchObject({ status: 401, text: expect.stringContaining('Your account is deactivated') });
    expect(answer.text).toContain('ask an administrator');
    expect(answer.text).not.toContain('<form');
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('is not told so after a wrong one', async () => {
    const answer = await signIn('another road');
    expect(answer).toMatchObject({ status: 401, text: expect.stringContaining('username or password is incorrect') });
    expect(answer.text).not.toContain('deactivated');
  });
});

describe('errors outside the API', () => {
  test.each<[string, number, Partial<RawRequest> & { path: string }, string]>([
    ['an unknown path', 404, { path: '/nowhere' }, 'There is no such page'],
    ['an unknown picture', 404, { path: '/user_avatars/1/realm/logo.png' }, 'There is no such page'],
    ['a method that a page lacks', 405, { method: 'PUT', path: '/accounts/login' }, 'That cannot be done here'],
    ['a path that cannot be read', 400, { path: '/avatar/%FF' }, 'Malformed path'],
    ['a file without a session', 401, { path: '/avatar/5' }, 'href="/accounts/login?next=%2Favatar%2F5"'],
  ])('are pages for browsers, and as before for programs: %s', async (_what, status, request, words) => {
    const page = await open(request);
    expect(page).toMatchObject({
      ...{ status, text: expect.stringContaining(words) },
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringContaining('style-src'),
        vary: expect.stringContaining('Accept'),
      },
    });
    const headers = { authorization: null, accept: '*/*' };
    const answer = await network.dan.callRaw({ method: 'GET', ...request, headers });
    expect(answer.status).toBe(status);
    expect(answer.json['result'] ?? answer.headers['content-type']).toMatch(/error|html/);
    expect(answer.headers['allow']).toBe(page.headers['allow']);
  });

  test('a wrong method names the right ones', async () => {
    expect((await open({ method: 'PUT', path: '/accounts/login' })).headers['allow']).toBe('GET, POST');
  });

  test.each(['/api/v1/nowhere', '/json/nowhere', '/json', '/api/v1/users/me', '/json/users/me'])(
    'the API’s are JSON for everybody: %s',
    async (path) => {
      const answer = await open({ path });
      expect(answer.json).toMatchObject({ result: 'error', code: expect.any(String) });
      expect(answer.headers['content-type']).toBe('application/json');
    },
  );
});

describe('what browsers and search engines ask every site for', () => {
  test('there is an icon', async () => {
    const icon = await open({ path: '/favicon.svg' });
    expect(icon).toMatchObject({ status: 200, text: expect.stringMatching(/^<svg /) });
    const headers = { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' };
    expect(icon.headers).toMatchObject(headers);
    expect(await open({ path: '/favicon.ico' })).toMatchObject({ status: 302, headers: { location: '/favicon.svg' } });
    expect((await open({ path: '/accounts/login' })).text).toContain(
      'rel="icon" type="image/svg+xml" href="/favicon.svg"',
    );
  });

  test('there is nothing to search', async () => {
    expect(await open({ path: '/robots.txt' })).toMatchObject({
      ...{ status: 200, text: 'User-agent: *\nDisallow: /\n' },
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' },
    });
  });
});

describe('an account without a picture', () => {
  test('has its initials on a color, drawn here', async () => {
    const { avatar_url: own } = await network.dan.call(getOwnUser, {});
    expect(own).toMatch(/^\/static\/pictures\/\d+\/DB\.svg\?version=1$/);
    const picture = await open({ path: own });
    expect(picture).toMatchObject({
      ...{ status: 200, text: expect.stringMatching(/^<svg [\s\S]*>DB<\/text>\n<\/svg>$/) },
      headers: {
        'content-type': 'image/svg+xml',
        'cache-control': 'public, max-age=604800',
        'content-security-policy': "default-src 'none'",
      },
    });
    for (const size of ['', '/medium']) {
      const answer = await network.eve.callRaw({ method: 'GET', path: `/avatar/${network.dan.userId}${size}` });
      expect(answer).toMatchObject({ status: 302, headers: { location: own } });
    }
  });

  test('and an organization without an icon: no address leads to a third party, nor contains a hash of an e-mail address', async () => {
    const { dan, eve } = network;
    const { text } = await eve.callRaw({
      method: 'POST',
      path: '/api/v1/register',
      form: { client_gravatar: 'false' },
    });
    expect(text).toContain('"realm_icon_url":"/static/pictures/');
    expect(text).not.toContain('gravatar.com');
    expect(text).not.toContain(createHash('md5').update(dan.email).digest('hex'));
  });

  test.each<[string, number]>([
    [encodeURIComponent('<b'), 200],
    [encodeURIComponent('"&'), 200],
    ['%F0%9F%8E%89', 200],
    ['ABC', 404],
    ['x'.repeat(200), 404],
  ])('draws one or two letters of any kind, as text: %s', async (letters, status) => {
    const picture = await open({ path: `/static/pictures/3/${letters}.svg` });
    expect(picture.status).toBe(status);
    expect(picture.text).not.toMatch(/<b[^o]|""/);
    expect((await open({ path: `/static/pictures/16/${letters}.svg` })).status).toBe(404);
  });
});

// Last, because nothing of the organization can be used then.
test('all pages of a deactivated organization say that it is, with what to do', async () => {
  const { zoe } = network;
  await zoe.call(deactivateRealm, {});
  const said = { status: 401, text: expect.stringContaining('This organization is deactivated') };
  for (const path of [
    '/accounts/login',
    '/accounts/password/reset',
    '/join/abcdefgh/',
    '/accounts/do_confirm/abcdefgh',
  ])
    expect(await open({ path }, zoe)).toMatchObject(said);
  const form = { username: zoe.email, password: PASSWORD };
  const answer = await open({ method: 'POST', path: '/accounts/login', form }, zoe);
  expect(answer).toMatchObject(said);
  expect(answer.text).toContain('ask an administrator');
  expect(answer.headers['www-authenticate']).toBeUndefined();
});

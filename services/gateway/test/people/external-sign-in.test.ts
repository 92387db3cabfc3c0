import { createDecipheriv, createHash } from 'node:crypto';
import { BadRequestError, UserDeactivatedError } from '@parley/shared/errors';
import { getServerSettings } from '../../src/endpoints';
import { eg } from '../eg';
import { startGateway, type TestAnswer, type TestGateway } from '../gateway';

const LOGIN = '/accounts/login/social/oidc/7';
const CALLBACK = '/accounts/oidc/7/callback';
const AUTHORIZATION = 'https://id.example/authorize?state=s&nonce=n';
const PAD = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const API_KEY = 'abcdefghijklmnopqrstuvwxyz012345';
const ENDS_AT_MS = Date.UTC(2030, 0, 1);
const KEY = { apiKey: API_KEY, deliveryEmail: 'nora+chat@acme.example', userId: 12, expiresAtMs: ENDS_AT_MS };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ APP_SCHEMES: ['parley', 'acme-chat'] });
});
beforeEach(() => {
  gateway.realm.answers.getRealm = async () => eg.organization({ subdomain: 'acme' });
  gateway.realm.seen.length = 0;
  gateway.realm.answers.beginOidcSignIn = async () => ({ authorizationUrl: AUTHORIZATION, browserSecret: 'a-secret' });
});
afterAll(() => gateway.stop());

const open = (path: string, headers: Record<string, string> = {}) =>
  gateway.request({ path, as: false, headers: { Host: 'acme.chat.example', Accept: 'text/html', ...headers } });

interface Begun {
  subdomain: string;
  providerId: number;
  redirectUri: string;
  wanted: string;
  flow: Buffer;
}

const begun = () => gateway.realm.last<Begun>('beginOidcSignIn');
const isAsked = (method: string) => gateway.realm.seen.some((seen) => seen.method === method);
const cookiesOf = ({ headers }: TestAnswer) => headers['set-cookie'] ?? [];

/** Comes back from the provider, with a sign-in that began so. */
async function comeBack(
  begin: string,
  finished: { key: typeof KEY } | { loginToken: string },
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  await open(begin);
  const { wanted, flow } = begun();
  gateway.realm.answers.finishOidcSignIn = async () => ({ key: null, wanted, flow, isNewAccount: false, ...finished });
  return open(`${CALLBACK}?code=c%20d&state=s`, { Cookie: '__Host-oidc=a-secret', ...headers });
}

const PROVIDERS = [
  { id: 7, displayName: 'Acme <ID>', iconUrl: 'https://id.example/icon.png' },
  { id: 9, displayName: 'Guests' },
];

describe('an organization’s providers', () => {
  beforeAll(() => {
    gateway.realm.answers.listOidcProviders = async () => ({ providers: PROVIDERS });
  });
  afterAll(() => {
    gateway.realm.answers.listOidcProviders = async () => ({ providers: [] });
  });

  test('are known to clients before they sign in', async () => {
    const { json } = await gateway.call(getServerSettings, {});
    expect(json).toMatchObject({
      authentication_methods: { password: true, 'openid connect': true },
      external_authentication_methods: [
        {
          name: 'oidc:7',
          display_name: 'Acme <ID>',
          display_icon: 'https://id.example/icon.png',
          login_url: '/accounts/login/social/oidc/7',
          signup_url: '/accounts/register/social/oidc/7',
        },
        {
          name: 'oidc:9',
          display_name: 'Guests',
          display_icon: null,
          login_url: '/accounts/login/social/oidc/9',
          signup_url: '/accounts/register/social/oidc/9',
        },
      ],
    });
  });

  test('are on the sign-in page, each with the way back', async () => {
    const { text } = await open('/accounts/login?next=%2F%23narrow%2Fis');
    expect(text).toContain(
      '<a class="button" href="/accounts/login/social/oidc/7?next=%2F%23narrow%2Fis">Sign in with Acme &lt;ID&gt;</a>',
    );
    expect(text).toContain('Sign in with Guests</a>');
    expect(text).toContain('name="password"');
  });

  test('are before the password where that is for owners, whose form is folded until they open it', async () => {
    const settings = JSON.stringify({ password_sign_in: 'owners' });
    gateway.realm.answers.getRealm = async () => eg.organization({ settings });
    const { text } = await open('/accounts/login');
    expect(text.indexOf('Sign in with Guests')).toBeLessThan(text.indexOf('<details>'));
    expect(/<details>.*<\/details>/s.exec(text)?.[0]).toContain('name="password"');
    expect((await gateway.call(getServerSettings, {})).json.authentication_methods.password).toBe(true);
  });

  test('are not there: then the form of owners is open, as the only way in', async () => {
    const settings = JSON.stringify({ password_sign_in: 'owners' });
    gateway.realm.answers.getRealm = async () => eg.organization({ settings });
    gateway.realm.answers.listOidcProviders = async () => ({ providers: [] });
    expect((await open('/accounts/login')).text).toContain('<details open>');
    gateway.realm.answers.listOidcProviders = async () => ({ providers: PROVIDERS });
  });

  test.each([{ password_sign_in: 'off' }, { authentication_methods: { Email: false, Dev: false } }])(
    'are the only way in, where passwords are switched off: %j',
    async (chosen) => {
      const settings = JSON.stringify(chosen);
      gateway.realm.answers.getRealm = async () => eg.organization({ settings });
      const { text } = await open('/accounts/login');
      expect(text).toContain('Sign in with Guests</a>');
      expect(text).not.toContain('<form');
      const { json } = await gateway.call(getServerSettings, {});
      expect(json).toMatchObject({ authentication_methods: { password: false }, email_auth_enabled: false });
    },
  );
});

describe('a sign-in begins', () => {
  test('at the provider, with the callback of the configuration whatever the Host, and a secret for this browser', async () => {
    const answer = await open(`${LOGIN}?next=%2F%23narrow`, { Host: 'acme.localhost:1', 'X-Forwarded-Proto': 'https' });
    expect(answer).toMatchObject({ status: 302, headers: { location: AUTHORIZATION } });
    expect(begun()).toMatchObject({
      providerId: 7,
      redirectUri: 'https://acme.chat.example/accounts/oidc/7/callback',
      wanted: 'session',
    });
    expect(cookiesOf(answer)).toEqual([
      expect.stringMatching(/^__Host-oidc=a-secret; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/),
    ]);
  });

  test('alike for people without an account', async () => {
    const answer = await open('/accounts/register/social/oidc/7');
    expect(answer).toMatchObject({ status: 302, headers: { location: AUTHORIZATION } });
  });

  test.each(['0', '-1', 'a', '1'.repeat(16)])('at no provider %s', async (id) => {
    expect((await open(`/accounts/login/social/oidc/${id}`)).status).toBe(404);
    expect(isAsked('beginOidcSignIn')).toBe(false);
  });

  test('with the words of a provider that is away', async () => {
    gateway.realm.answers.beginOidcSignIn = async () => {
      throw new BadRequestError('The provider <Acme> does not answer.');
    };
    const answer = await open(LOGIN);
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('The provider &lt;Acme&gt; does not') });
    expect(cookiesOf(answer)).toEqual([]);
  });
});

describe('what a client sends wrongly is said as JSON, and nothing begins:', () => {
  test.each([
    ['mobile_flow_otp=', 'Invalid OTP'],
    ['mobile_flow_otp=123', 'Invalid OTP'],
    [`mobile_flow_otp=${PAD}0`, 'Invalid OTP'],
    [`desktop_flow_otp=${PAD.replace('0', 'g')}`, 'Invalid OTP'],
    [`mobile_flow_otp=${PAD}&desktop_flow_otp=${PAD}`, "Can't use both mobile_flow_otp and desktop_flow_otp together."],
    [
      `mobile_flow_otp=${PAD}&mobile_flow_scheme=https`,
      'This server does not answer apps with mobile_flow_scheme=https',
    ],
  ])('%s', async (query, msg) => {
    const answer = await open(`${LOGIN}?${query}`);
    expect(answer).toMatchObject({ status: 400, json: { result: 'error', msg, code: 'BAD_REQUEST' } });
    expect(isAsked('beginOidcSignIn')).toBe(false);
  });
});

describe('who comes back from the provider', () => {
  test('has a session, and goes where they wanted to; the secret is gone', async () => {
    const answer = await comeBack(`${LOGIN}?next=%2F%23narrow`, { key: KEY });
    expect(answer).toMatchObject({ status: 303, headers: { location: '/#narrow' } });
    expect(gateway.realm.last('finishOidcSignIn')).toMatchObject({
      providerId: 7,
      query: 'code=c%20d&state=s',
      browserSecret: 'a-secret',
      label: 'Browser',
    });
    expect(cookiesOf(answer)).toEqual([
      expect.stringMatching(/^oidc=; Path=\/; Expires=Thu, 01 Jan 1970/),
      expect.stringMatching(
        `^__Host-sessionid=${API_KEY}; Path=/; Expires=Tue, 01 Jan 2030[^;]+; HttpOnly; Secure; SameSite=Lax$`,
      ),
      expect.stringMatching(/^__Host-csrftoken=[\w-]{43}; /),
      expect.stringMatching(/^__Host-device=[\w-]{22}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/),
    ]);
  });

  test('gets a session of their own, whatever session somebody else has given this browser before', async () => {
    const known = 'sessionsessionsessionsession1234';
    const Cookie = `__Host-oidc=a-secret; __Host-sessionid=${known}; sessionid=${known}`;
    const answer = await comeBack(LOGIN, { key: KEY }, { Cookie });
    expect(cookiesOf(answer)).toContainEqual(expect.stringMatching(`^__Host-sessionid=${API_KEY}; `));
    expect(JSON.stringify(answer.headers)).not.toContain(known);
    expect(JSON.stringify(gateway.realm.seen)).not.toContain(known);
  });

  test('over TLS finishes no sign-in that a neighboring host has begun for them', async () => {
    const neighbors = { Cookie: 'oidc=their-secret', 'X-Forwarded-Proto': 'https' };
    await comeBack(LOGIN, { key: KEY }, neighbors);
    expect(gateway.realm.last('finishOidcSignIn')).toMatchObject({ browserSecret: '' });
    await comeBack(LOGIN, { key: KEY }, { Cookie: 'oidc=of-this-machine' });
    expect(gateway.realm.last('finishOidcSignIn')).toMatchObject({ browserSecret: 'of-this-machine' });
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', `/${'a'.repeat(1_000)}`])(
    'is not sent on to %s',
    async (next) => {
      const answer = await comeBack(`${LOGIN}?next=${encodeURIComponent(next)}`, { key: KEY });
      expect(answer).toMatchObject({ status: 303, headers: { location: '/' } });
    },
  );

  test('for a phone goes back to its app, with the key that only the app can read', async () => {
    const answer = await comeBack(`${LOGIN}?mobile_flow_otp=${PAD}`, { key: KEY });
    expect(begun().wanted).toBe('api_key');
    // Bytes 0, 1, 2 … of the pad, with those of the key.
    const encrypted = '616361676163616f616361676163617f616361676163616f61632a2a2e2e2a2a';
    expect(answer).toMatchObject({
      status: 302,
      headers: {
        location: `parley://login?otp_encrypted_api_key=${encrypted}&email=nora%2Bchat%40acme.example&user_id=12&realm=https%3A%2F%2Facme.chat.example`,
      },
    });
    // No session, but the browser is known from now on.
    expect(cookiesOf(answer)).toEqual([
      expect.stringMatching(/^oidc=; /),
      expect.stringMatching(/^__Host-device=[\w-]{22}; /),
    ]);
    const { device } = gateway.realm.last('finishOidcSignIn') as { device?: string };
    expect(cookiesOf(answer)[1]).toContain(`=${device}; `);
  });

  test('for an app with another scheme goes back to that', async () => {
    const answer = await comeBack(`${LOGIN}?mobile_flow_otp=${PAD}&mobile_flow_scheme=acme-chat`, { key: KEY });
    expect(answer.headers.location).toMatch(/^acme-chat:\/\/login\?otp_encrypted_api_key=/);
  });

  test('for a desktop gets a code to copy, and no session in this browser', async () => {
    const answer = await comeBack(`${LOGIN}?desktop_flow_otp=${PAD}`, { loginToken: 'a-login-token' });
    expect(begun().wanted).toBe('login_token');
    const code = Buffer.from(/value="([\da-f]+)"/.exec(answer.text)?.[1] as string, 'hex');
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(PAD, 'hex'), code.subarray(0, 12));
    decipher.setAuthTag(code.subarray(-16));
    expect(decipher.update(code.subarray(12, -16)).toString() + decipher.final()).toBe('a-login-token');
    expect(cookiesOf(answer)).toEqual([expect.stringMatching(/^oidc=; /)]);
    const script = /<script>([\s\S]*)<\/script>/.exec(answer.text)?.[1] as string;
    const digest = createHash('sha256').update(script).digest('base64');
    expect(answer.headers['content-security-policy']).toContain(`script-src 'sha256-${digest}';`);
  });

  test('reads why they are not let in, and has no session', async () => {
    gateway.realm.answers.finishOidcSignIn = async () => {
      throw new BadRequestError('Nobody has <invited> you.');
    };
    const answer = await open(`${CALLBACK}?error=access_denied`);
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('Nobody has &lt;invited&gt; you.') });
    expect(answer.text).toContain('<a href="/accounts/login">');
    expect(gateway.realm.last('finishOidcSignIn')).toMatchObject({ query: 'error=access_denied', browserSecret: '' });
    expect(cookiesOf(answer)).toEqual([expect.stringMatching(/^oidc=; /)]);
  });

  test('reads that their account is deactivated', async () => {
    gateway.realm.answers.finishOidcSignIn = async () => {
      throw new UserDeactivatedError();
    };
    expect((await open(`${CALLBACK}?code=c`)).text).toContain('<h1>Your account is deactivated</h1>');
  });
});

describe('a desktop’s app', () => {
  test('waits, and has a browser open the provider’s page', async () => {
    const answer = await open(LOGIN, { 'User-Agent': 'AcmeElectron/5.1 (Linux) Electron/37.0' });
    expect(answer).toMatchObject({
      status: 200,
      text: expect.stringContaining('<h1>Sign in in your browser</h1>'),
      headers: { 'content-security-policy': expect.stringContaining("script-src 'sha256-") },
    });
    expect(isAsked('beginOidcSignIn')).toBe(false);
  });

  test('signs in by its token', async () => {
    gateway.realm.answers.redeemLoginToken = async () => KEY;
    const answer = await open('/accounts/login/subdomain/a-login-token', { 'Sec-Fetch-Site': 'same-origin' });
    expect(answer).toMatchObject({ status: 303, headers: { location: '/' } });
    expect(gateway.realm.last('redeemLoginToken')).toMatchObject({ loginToken: 'a-login-token' });
    expect(cookiesOf(answer)[0]).toMatch(`__Host-sessionid=${API_KEY}; `);
  });

  test('reads why a token is refused', async () => {
    gateway.realm.answers.redeemLoginToken = async () => {
      throw new BadRequestError('This code has been used.');
    };
    const answer = await open('/accounts/login/subdomain/a-login-token');
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('This code has been used.') });
    expect(cookiesOf(answer)).toEqual([]);
  });

  test.each(['cross-site', 'same-site'])('is not signed in by a link of another site: %s', async (site) => {
    const answer = await open('/accounts/login/subdomain/a-login-token', { 'Sec-Fetch-Site': site });
    expect(answer.status).toBe(403);
    expect(isAsked('redeemLoginToken')).toBe(false);
  });
});

describe('a provider that ends sessions', () => {
  const end = (body: string) =>
    gateway.request({
      method: 'POST',
      path: '/accounts/oidc/7/logout',
      as: false,
      headers: { Host: 'acme.chat.example', 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    });

  test('is answered once they have ended', async () => {
    gateway.realm.answers.endOidcSessions = async () => ({});
    const answer = await end('logout_token=a.b.c');
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': expect.stringContaining('no-store') } });
    expect(gateway.realm.last('endOidcSessions')).toEqual({
      subdomain: 'acme',
      providerId: 7,
      logoutToken: 'a.b.c',
    });
  });

  test.each(['', 'logout_token=', `logout_token=${'a'.repeat(20_001)}`])('needs a token: %.30s', async (body) => {
    const answer = await end(body);
    expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
    expect(isAsked('endOidcSessions')).toBe(false);
  });

  test('is told what is wrong with its token', async () => {
    gateway.realm.answers.endOidcSessions = async () => {
      throw new BadRequestError('The token was used before.');
    };
    expect(await end('logout_token=a.b.c')).toMatchObject({
      status: 400,
      json: { error: 'invalid_request', error_description: 'The token was used before.' },
    });
  });
});

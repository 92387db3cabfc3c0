import { createHash } from 'node:crypto';
import type { FetchApiKeyRequest } from '@parley/shared/proto';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, newUser } from '../../test/examples';
import { getApiKeys } from '../api-keys/api-keys';
import { authenticate } from '../api-keys/authenticate';
import { devFetchApiKey, fetchApiKey } from './sign-in';

const PASSWORD = 'correct horse';
const MINUTE_MS = 60_000;

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia, { email: 'Iago@Example.com', password: PASSWORD });

const signIn = (wanted: Partial<FetchApiKeyRequest> = {}) =>
  fetchApiKey(ctx, {
    subdomain: olivia.subdomain,
    username: iago.email,
    password: PASSWORD,
    label: '',
    address: '',
    ...wanted,
  });

async function opens(apiKey: string): Promise<boolean> {
  const apiKeyHash = createHash('sha256').update(apiKey).digest();
  const credential = { subdomain: olivia.subdomain, email: iago.email, apiKeyHash };
  return (await authenticate(ctx, { credentials: [credential] })).results[0]?.outcome === 'ok';
}

const FAILED = {
  code: 'AUTHENTICATION_FAILED',
  httpStatus: 401,
  message: 'Your username or password is incorrect',
};

describe('signing in with a password', () => {
  test('gives one more key, under a label', async () => {
    const first = await signIn({ label: 'phone' });
    const second = await signIn({ username: ' IAGO@example.COM ', label: 'x'.repeat(200) });
    expect(first).toEqual({
      apiKey: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      deliveryEmail: 'Iago@Example.com',
      userId: iago.userId,
    });
    expect(await Promise.all([iago.apiKey, first.apiKey, second.apiKey].map(opens))).toEqual([true, true, true]);
    const { keys } = await getApiKeys(ctx, iago);
    expect(keys.map(({ label }) => label)).toEqual(['', 'phone', `${'x'.repeat(99)}…`]);
  });

  test.each([
    ['a wrong password', { password: 'wrong' }],
    ['no password', { password: '' }],
    ['a password that is too long to be one', { password: 'x'.repeat(100_000) }],
    ['an address of nobody', { username: 'nobody@example.com' }],
    ['an address that no address can be', { username: 'nul\0@example.com' }],
  ])('fails alike with %s', async (_case, wanted) => {
    await expect(signIn(wanted)).rejects.toMatchObject(FAILED);
  });

  test('fails for accounts without a password, bots among them', async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    await expect(signIn({ username: olivia.email, password: '' })).rejects.toMatchObject(FAILED);
    await expect(signIn({ username: bot.email, password: '' })).rejects.toMatchObject(FAILED);
  });

  test('knows the accounts of one organization', async () => {
    const { subdomain } = await newOrganization(ctx);
    await expect(signIn({ subdomain })).rejects.toMatchObject(FAILED);
    await expect(signIn({ subdomain: 'nowhere' })).rejects.toMatchObject({ code: 'NONEXISTENT_SUBDOMAIN' });
  });

  test('reveals that an account is deactivated to its holder only', async () => {
    await ctx.db.query('update user_account set is_active = false where id = $1', [iago.userId]);
    await expect(signIn({ password: 'wrong' })).rejects.toMatchObject(FAILED);
    await expect(signIn()).rejects.toMatchObject({ code: 'USER_DEACTIVATED', httpStatus: 401 });
  });

  test('fails in a deactivated organization', async () => {
    await ctx.db.query('update realm set is_deactivated = true where id = $1', [olivia.realmId]);
    await expect(signIn()).rejects.toMatchObject({ code: 'REALM_DEACTIVATED', httpStatus: 401 });
  });
});

describe('a name with five failures', () => {
  const fail = async (count: number, username = iago.email) => {
    for (let n = 0; n < count; n += 1) {
      await expect(signIn({ username, password: 'wrong' })).rejects.toMatchObject(FAILED);
    }
  };

  test('is locked until half an hour after the first failure, right password or not', async () => {
    await fail(1);
    ctx.clock.advance(10 * MINUTE_MS);
    await fail(4);
    await expect(signIn()).rejects.toMatchObject({
      code: 'RATE_LIMIT_HIT',
      httpStatus: 429,
      fields: { 'retry-after': 20 * 60 },
    });
    ctx.clock.advance(20 * MINUTE_MS - 1);
    await expect(signIn()).rejects.toMatchObject({ fields: { 'retry-after': 1 } });
    ctx.clock.advance(1);
    expect(await signIn()).toMatchObject({ userId: iago.userId });
  });

  test('is the login name in any casing, with or without an account', async () => {
    await fail(5, 'nobody@example.com');
    await expect(signIn({ username: ' Nobody@Example.com' })).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
    expect(await signIn()).toMatchObject({ userId: iago.userId });
  });

  test('starts again at zero after a success', async () => {
    await fail(4);
    await signIn();
    await fail(5);
    await expect(signIn()).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
  });

  test('gets no more attempts by concurrent requests', async () => {
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => signIn({ password: 'wrong' })));
    const codes = results.map((result) => result.status === 'rejected' && result.reason.code);
    expect(codes.filter((code) => code === 'AUTHENTICATION_FAILED')).toHaveLength(5);
    expect(codes.filter((code) => code === 'RATE_LIMIT_HIT')).toHaveLength(7);
  });

  test('is not stored, and nothing of it remains in the end', async () => {
    await fail(1, 'my secret password');
    const rows = await ctx.db.query<{ row: string }>('select a::text as row from sign_in_attempt a');
    expect(rows.filter(({ row }) => row.includes('secret'))).toEqual([]);
    ctx.clock.advance(31 * MINUTE_MS);
    await fail(1, 'another');
    expect(await ctx.db.query('select 1 from sign_in_attempt where realm_id = $1', [olivia.realmId])).toHaveLength(1);
  });
});

describe('an address with many failures', () => {
  const HERE = '203.0.113.5';
  const fail = (count: number, address: string) =>
    Promise.all(
      Array.from({ length: count }, (_each, n) =>
        expect(signIn({ username: `${n}@example.com`, password: 'wrong', address })).rejects.toMatchObject(FAILED),
      ),
    );

  const refused = (count: number, wanted: Partial<FetchApiKeyRequest>) =>
    Promise.all(
      Array.from({ length: count }, () =>
        expect(signIn({ address: HERE, ...wanted })).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' }),
      ),
    );

  test('is not locked for others while one user keeps failing', async () => {
    const username = 'forgetful@example.com';
    for (let n = 0; n < 5; n += 1) await expect(signIn({ username, address: HERE })).rejects.toMatchObject(FAILED);
    await refused(50, { username });
    await refused(50, { username });
    expect(await signIn({ address: HERE })).toMatchObject({ userId: iago.userId });
  });

  test('is locked for every name after a hundred failures; other addresses are not, and refused attempts lock no name', async () => {
    await fail(100, HERE);
    await expect(signIn({ address: HERE })).rejects.toMatchObject({
      code: 'RATE_LIMIT_HIT',
      fields: { 'retry-after': 30 * 60 },
    });
    await refused(5, {});
    expect(await signIn({ address: '203.0.113.6' })).toMatchObject({ userId: iago.userId });
    ctx.clock.advance(30 * MINUTE_MS);
    expect(await signIn({ address: HERE })).toMatchObject({ userId: iago.userId });
  });

  test('is not cleared by a success, which does not count itself', async () => {
    await fail(99, HERE);
    expect(await signIn({ address: HERE })).toMatchObject({ userId: iago.userId });
    await expect(signIn({ password: 'wrong', address: HERE })).rejects.toMatchObject(FAILED);
    await expect(signIn({ address: HERE })).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
  });
});

describe('an address from which an account has signed in before', () => {
  const [HOME, ELSEWHERE] = ['198.51.100.1', '203.0.113.9'];
  const failFrom = async (count: number, address: string) => {
    for (let n = 0; n < count; n += 1)
      await expect(signIn({ password: 'wrong', address })).rejects.toMatchObject(FAILED);
  };

  test('lets its holder in during wrong attempts from other addresses, which stay locked', async () => {
    await signIn({ address: HOME });
    await failFrom(5, ELSEWHERE);
    await expect(signIn({ address: ELSEWHERE })).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
    expect(await signIn({ address: HOME })).toMatchObject({ userId: iago.userId });
    await expect(signIn({ address: ELSEWHERE })).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
  });

  test('has as many attempts as any other, counted separately', async () => {
    await signIn({ address: HOME });
    await failFrom(5, HOME);
    await expect(signIn({ address: HOME })).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
    expect(await signIn({ address: ELSEWHERE })).toMatchObject({ userId: iago.userId });
  });

  test('is not known for another account, nor after failures', async () => {
    const other = await newUser(ctx, olivia, { email: 'other@example.com', password: PASSWORD });
    await signIn({ username: other.email, address: HOME });
    await failFrom(5, HOME);
    await expect(signIn({ address: HOME })).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
  });

  test('is one of the last twenty; addresses are stored hashed only', async () => {
    for (let n = 0; n < 21; n += 1) {
      ctx.clock.advance(1_000);
      await signIn({ address: `198.51.100.${n}` });
    }
    const rows = await ctx.db.query<{ row: string }>(
      'select a::text as row from sign_in_address a where realm_id = $1 and user_id = $2',
      [olivia.realmId, iago.userId],
    );
    expect(rows).toHaveLength(20);
    expect(rows.filter(({ row }) => row.includes('198.51'))).toEqual([]);
    await failFrom(5, ELSEWHERE);
    expect(await signIn({ address: '198.51.100.20' })).toMatchObject({ userId: iago.userId });
    await expect(signIn({ address: '198.51.100.0' })).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
  });
});

describe('signing in on a development server', () => {
  const devSignIn = (username: string) =>
    devFetchApiKey(ctx, { subdomain: olivia.subdomain, username, label: 'development' });

  test('requires the address only', async () => {
    const { apiKey, userId } = await devSignIn('iago@example.com');
    expect(userId).toBe(iago.userId);
    expect(await opens(apiKey)).toBe(true);
  });

  test('fails for unknown and deactivated accounts', async () => {
    await expect(devSignIn('nobody@example.com')).rejects.toMatchObject(FAILED);
    await ctx.db.query('update user_account set is_active = false where id = $1', [iago.userId]);
    await expect(devSignIn(iago.email)).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
  });
});

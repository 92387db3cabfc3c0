import { randomUUID } from 'node:crypto';
import { newCall } from '@parley/shared/rpc';
import { CLIENT, observed, rowsReadIn } from '@parley/shared/testing';
import { UnsecuredJWT } from 'jose';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { addProvider, newPerson, signIn, signInOfEachTest } from '../../test/oidc-sign-in';
import { authenticate } from '../api-keys/authenticate';
import { listAuditEntries } from '../audit/audit-log';
import { hashKey } from '../base/random-key';
import { endOidcSessions } from './end-sessions';
import { redeemLoginToken } from './login-tokens';
import { type LogoutOf, listLoggedOut } from './oidc.sql';
import { removeOidcProvider } from './providers';

const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} };

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const place = signInOfEachTest(ctx, olivia);

const claimsOf = (more: Record<string, unknown>) => ({
  ...{ iss: place.idp.issuer, aud: CLIENT.id, iat: Math.floor(Date.now() / 1_000), jti: randomUUID(), events: EVENT },
  ...more,
});
const tokenOf = (more: Record<string, unknown>) => place.idp.sign(claimsOf(more), { typ: 'logout+jwt' });
const logOut = async (logoutToken: string | Promise<string>, { subdomain, providerId } = place) =>
  endOidcSessions(ctx, newCall(), { subdomain, providerId, logoutToken: await logoutToken });

async function works(apiKey = '', isSession = true): Promise<boolean> {
  const [user] = await ctx.db.query<{ email: string }>(
    `select u.email from api_key k join user_account u on u.id = k.user_id where k.key_hash = $1`,
    [hashKey(apiKey)],
  );
  const credential = { subdomain: olivia.subdomain, email: isSession ? '' : (user?.email as string), isSession };
  const { results } = await authenticate(ctx, { credentials: [{ ...credential, apiKeyHash: hashKey(apiKey) }] });
  return results[0]?.outcome === 'ok';
}

const sidOf = async (apiKey = '') => {
  const [row] = await ctx.db.query<{ sid: string }>(
    'select s.sid from oidc_session s join api_key k on k.realm_id = s.realm_id and k.id = s.api_key_id where k.key_hash = $1',
    [hashKey(apiKey)],
  );
  return row?.sid;
};

test('a logout ends the session that it names, and announces that its queues end', async () => {
  const { name } = newPerson(place.idp);
  const [first, second] = [await signIn(ctx, place, name), await signIn(ctx, place, name)];
  const sid = await sidOf(first.key?.apiKey);
  expect(sid).toEqual(expect.any(String));
  await logOut(tokenOf({ sub: name, sid }));
  expect([await works(first.key?.apiKey), await works(second.key?.apiKey)]).toEqual([false, true]);
  const rows = await ctx.db.query(`select 1 from outbox where realm_id = $1 and kind = 'api-key.revoked'`, [
    olivia.realmId,
  ]);
  expect(rows).toHaveLength(1);
  const { entries } = await listAuditEntries(ctx, { subdomain: olivia.subdomain, limit: 100 });
  expect(entries.map(({ json }) => JSON.parse(json)).at(-1)).toMatchObject({
    ...{ act: 'end-oidc-sessions', subject: { kind: 'user', id: first.key?.userId }, actor: { kind: 'service' } },
  });
});

test('a logout without a session ends all of the person’s, and nobody else’s', async () => {
  const [ann, bob] = [newPerson(place.idp), newPerson(place.idp)];
  const both = [await signIn(ctx, place, ann.name), await signIn(ctx, place, ann.name)];
  const others = await signIn(ctx, place, bob.name);
  await logOut(tokenOf({ sub: ann.name }));
  expect(await Promise.all(both.map(({ key }) => works(key?.apiKey)))).toEqual([false, false]);
  expect(await works(others.key?.apiKey)).toBe(true);
});

test('API keys stay, unless the provider’s setting ends them', async () => {
  const ending = { ...place, providerId: await addProvider(ctx, olivia, place.idp, { keysEndAt: 'logout' }) };
  for (const [where, stays] of [
    [place, true],
    [ending, false],
  ] as const) {
    const { name } = newPerson(place.idp);
    const { key } = await signIn(ctx, where, name, { wanted: 'api_key' });
    expect(await works(key?.apiKey, false)).toBe(true);
    await logOut(tokenOf({ sub: name }), where);
    expect(await works(key?.apiKey, false)).toBe(stays);
  }
});

test('sessions through another provider stay', async () => {
  const other = { ...place, providerId: await addProvider(ctx, olivia, place.idp) };
  const { name } = newPerson(place.idp);
  const { key } = await signIn(ctx, place, name);
  await logOut(tokenOf({ sub: name }), other);
  expect(await works(key?.apiKey)).toBe(true);
});

test('a logout token works once', async () => {
  const { name } = newPerson(place.idp);
  const token = await tokenOf({ sub: name });
  await logOut(token);
  const { key } = await signIn(ctx, place, name);
  await expect(logOut(token)).rejects.toThrow('The logout token was used before.');
  expect(await works(key?.apiKey)).toBe(true);
});

test('is accepted with keys that the provider has changed', async () => {
  await logOut(tokenOf({ sub: 'anybody' }));
  await place.idp.rotateKeys();
  // The description, and the keys with it, are fetched again after five minutes, and keys alone a moment after the last time.
  ctx.clock.advance(5 * 60_000);
  await logOut(tokenOf({ sub: 'anybody' }));
});

test.each<[string, () => string | Promise<string>]>([
  ['without a signature', () => new UnsecuredJWT(claimsOf({ sub: 'x' })).encode()],
  ['of another issuer', () => tokenOf({ sub: 'x', iss: 'https://evil.example.com' })],
  ['for another client', () => tokenOf({ sub: 'x', aud: 'another' })],
  ['that was made long ago', () => tokenOf({ sub: 'x', iat: Math.floor(Date.now() / 1_000) - 700 })],
  ['that has expired', () => tokenOf({ sub: 'x', exp: Math.floor(Date.now() / 1_000) - 120 })],
  ['without an id', () => tokenOf({ sub: 'x', jti: undefined })],
  ['that names nobody', () => tokenOf({})],
  ['with a nonce, as ID tokens have one', () => tokenOf({ sub: 'x', nonce: 'n' })],
  ['of another event', () => tokenOf({ sub: 'x', events: { 'https://example.com/event': {} } })],
  ['without an event', () => tokenOf({ sub: 'x', events: undefined })],
  ['that is none', () => 'x'.repeat(20_000)],
])('a logout token %s is refused', async (_what, make) => {
  await expect(logOut(make())).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('not valid'),
  });
});

test('a login token makes one session, within 15 seconds, which ends with the provider’s logout', async () => {
  const { name } = newPerson(place.idp);
  const takeOver = (loginToken = '') =>
    redeemLoginToken(ctx, { subdomain: olivia.subdomain, loginToken, label: 'Desktop' });
  const INVALID = 'The login token is not valid, was used before, or has expired.';
  const finished = await signIn(ctx, place, name, { wanted: 'login_token' });
  expect(finished).toMatchObject({ wanted: 'login_token', key: null, isNewAccount: true });
  const { apiKey, expiresAtMs } = await takeOver(finished.loginToken);
  expect([await works(apiKey), expiresAtMs]).toEqual([true, ctx.clock.now() + 24 * 3_600_000]);
  for (const token of [finished.loginToken, `${finished.loginToken}=`, '', 'invented']) {
    await expect(takeOver(token)).rejects.toThrow(INVALID);
  }
  const elsewhere = { ...place, providerId: await addProvider(ctx, olivia, place.idp) };
  const orphan = await signIn(ctx, elsewhere, name, { wanted: 'login_token' });
  await removeOidcProvider(ctx, olivia, { providerId: elsewhere.providerId });
  await expect(takeOver(orphan.loginToken)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const late = await signIn(ctx, place, name, { wanted: 'login_token' });
  ctx.clock.advance(15_000);
  await expect(takeOver(late.loginToken)).rejects.toThrow(INVALID);
  await logOut(tokenOf({ sub: name }));
  expect(await works(apiKey)).toBe(false);
});

test('a logout reads the sessions that it ends, of however many', async () => {
  const { key } = await signIn(ctx, place, newPerson(place.idp).name);
  await ctx.db.query(
    `with made as (
       insert into api_key (realm_id, user_id, key_hash, created_at, expires_at)
       select $1, $2, sha256(('many ' || n)::bytea), now(), now() from generate_series(1, 5000) n returning id
     )
     insert into oidc_session (realm_id, api_key_id, user_id, provider_id, subject, sid)
     select $1, id, $2, $3, 'subject ' || id, 'sid ' || id from made`,
    [olivia.realmId, key?.userId, place.providerId],
  );
  await ctx.db.query('vacuum analyze api_key, oidc_session');
  const { sql, plans } = observed(ctx.db);
  const of = { realmId: olivia.realmId, providerId: place.providerId, includesKeys: false };
  const [last] = await ctx.db.query<{ subject: string; sid: string }>(
    `select subject, sid from oidc_session where realm_id = $1 and subject like 'subject %' limit 1`,
    [olivia.realmId],
  );
  for (const names of [{ ...last, sid: null }, { ...last, subject: null }, last]) {
    expect(await listLoggedOut(sql, { ...of, ...names } as LogoutOf)).toHaveLength(1);
  }
  expect(rowsReadIn(plans)).toBeLessThan(50);
});

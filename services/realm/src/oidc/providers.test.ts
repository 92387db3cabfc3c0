import { createOutsideHttp, parseAllowList } from '@parley/shared/outside-http';
import type { OidcProviderSettings } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { addProvider, begin, newPerson, providerOfTests, settingsOf, signIn } from '../../test/oidc-sign-in';
import { listAuditEntries } from '../audit/audit-log';
import {
  addOidcProvider,
  listOidcProviderSettings,
  listOidcProviders,
  removeOidcProvider,
  testOidcProvider,
  updateOidcProvider,
} from './providers';

const SECRET = 'what nobody may see';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const admin = memberOfEachTest(ctx, olivia, { role: ROLES.administrator });

const at = providerOfTests();

const ISSUER = 'https://id.example.com/realms/a';
const add = (wanted: Partial<OidcProviderSettings> = {}, who = olivia) =>
  addOidcProvider(ctx, who, { settings: settingsOf(ISSUER, wanted), clientSecret: SECRET });
const listed = async () => (await listOidcProviderSettings(ctx, admin)).providers;

test('sign-in pages show the name and the icon of each provider, and nothing else', async () => {
  const { providerId: id } = await add({ iconUrl: 'https://id.example.com/icon.png' });
  const { providerId: plain } = await add({ displayName: 'Other' });
  expect(await listOidcProviders(ctx, olivia)).toEqual({
    providers: [
      { id, displayName: 'Example ID', iconUrl: 'https://id.example.com/icon.png' },
      { id: plain, displayName: 'Other' },
    ],
  });
  expect(await listOidcProviders(ctx, { subdomain: 'nowhere' })).toEqual({ providers: [] });
});

test('the secret is neither answered, nor stored as it is, nor recorded', async () => {
  const { providerId } = await add();
  expect(await listed()).toMatchObject([{ id: providerId, hasClientSecret: true }]);
  await updateOidcProvider(ctx, olivia, { providerId, settings: settingsOf(ISSUER), clientSecret: `${SECRET} 2` });
  const [row] = await ctx.db.query<{ row: string; bytes: Buffer }>(
    'select p::text as row, sealed_secret as bytes from oidc_provider p where realm_id = $1',
    [olivia.realmId],
  );
  const { entries } = await listAuditEntries(ctx, { subdomain: olivia.subdomain, limit: 100 });
  const all = JSON.stringify([await listed(), entries, row?.row, row?.bytes.toString('latin1')]);
  expect(all).not.toContain(SECRET);
});

test('owners change providers, administrators see them, others do neither', async () => {
  const { providerId } = await add();
  const OWNERS = 'Must be an organization owner';
  await expect(add({}, admin)).rejects.toThrow(OWNERS);
  const change = { providerId, settings: settingsOf(ISSUER) };
  await expect(updateOidcProvider(ctx, admin, change)).rejects.toThrow(OWNERS);
  await expect(removeOidcProvider(ctx, admin, { providerId })).rejects.toThrow(OWNERS);
  await ctx.db.query('update user_account set role = $2 where id = $1', [admin.userId, ROLES.moderator]);
  await expect(listed()).rejects.toThrow('Must be an organization administrator');
  await expect(testOidcProvider(ctx, admin, { providerId })).rejects.toThrow('Must be an organization administrator');
});

test('a change keeps the secret unless it names another, and another issuer never gets it', async () => {
  const { providerId } = await add();
  await updateOidcProvider(ctx, olivia, { providerId, settings: settingsOf(ISSUER, { displayName: 'New' }) });
  expect(await listed()).toMatchObject([{ settings: { displayName: 'New' }, hasClientSecret: true }]);
  const moved = { providerId, settings: settingsOf('https://evil.example.com') };
  await expect(updateOidcProvider(ctx, olivia, moved)).rejects.toThrow('Enter the client secret of the new issuer.');
  await updateOidcProvider(ctx, olivia, { ...moved, clientSecret: '' });
  expect(await listed()).toMatchObject([{ hasClientSecret: false }]);
});

test.each<[Partial<OidcProviderSettings>, string]>([
  [{ issuer: 'http://id.example.com' }, 'issuer must be an address with https'],
  [{ issuer: 'https://user@id.example.com' }, 'issuer must be'],
  [{ issuer: 'https://id.example.com/?a=b' }, 'issuer must be'],
  [{ issuer: `https://id.example.com/${'x'.repeat(1_000)}` }, 'issuer must be'],
  [{ displayName: ' ' }, 'display_name must have'],
  [{ clientId: 'x'.repeat(501) }, 'client_id must have'],
  [{ iconUrl: 'javascript:alert(1)' }, 'icon_url must be an address with https'],
  [{ scopes: ['two words'] }, 'scopes must be'],
  [{ newAccounts: 'anybody' }, 'new_accounts must be one of'],
  [{ keysEndAt: 'never' }, 'keys_end_at must be one of'],
  [{ groupRules: [{ value: 'a', groupId: 987_654 }] }, 'group_rules names group 987654'],
  [{ groupRules: [{ value: '', groupId: 1 }] }, 'group_rules must be'],
  [{ roleRules: [{ value: 'a', role: 5 }] }, 'role_rules names a role'],
])('the settings %j are refused', async (wanted, expected) => {
  await expect(add(wanted)).rejects.toThrow(expected);
});

test('an organization has at most fifty', async () => {
  for (let n = 0; n < 50; n += 1) await add();
  await expect(add()).rejects.toThrow('Too many sign-in providers (limit: 50).');
});

test('removing one ends its sessions and forgets who is whom; accounts stay', async () => {
  const providerId = await addProvider(ctx, olivia, at.idp);
  const { name } = newPerson(at.idp);
  const place = { subdomain: olivia.subdomain, providerId, idp: at.idp };
  const { key } = await signIn(ctx, place, name);
  await removeOidcProvider(ctx, olivia, { providerId });
  const sessions = await ctx.db.query(
    'select 1 from api_key where realm_id = $1 and user_id = $2 and expires_at is not null and revoked_at is null',
    [olivia.realmId, key?.userId],
  );
  expect(sessions).toEqual([]);
  await expect(signIn(ctx, place, name)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const again = { ...place, providerId: await addProvider(ctx, olivia, at.idp) };
  expect((await signIn(ctx, again, name)).key?.userId).toBe(key?.userId);
});

test('another issuer is another provider: sessions end, and who had the address is linked anew', async () => {
  const providerId = await addProvider(ctx, olivia, at.idp);
  const place = { subdomain: olivia.subdomain, providerId, idp: at.idp };
  const { name } = newPerson(at.idp);
  const { key } = await signIn(ctx, place, name);
  const rename = (displayName: string, issuer: string) =>
    updateOidcProvider(ctx, olivia, {
      providerId,
      settings: settingsOf(issuer, { displayName }),
      clientSecret: SECRET,
    });
  const validKeys = async () =>
    ctx.db.query('select 1 from api_key where realm_id = $1 and user_id = $2 and revoked_at is null', [
      olivia.realmId,
      key?.userId,
    ]);
  // Each account has a key from the beginning.
  await rename('Renamed', at.idp.issuer);
  expect(await validKeys()).toHaveLength(2);
  await rename('Moved', ISSUER);
  expect(await validKeys()).toHaveLength(1);
  expect(await ctx.prisma.oidcIdentity.count({ where: { realmId: olivia.realmId } })).toBe(0);
});

test('removing one ends the keys that a logout should have ended, and no others', async () => {
  for (const [keysEndAt, left] of [
    ['logout', 1],
    ['deactivation', 2],
  ] as const) {
    const providerId = await addProvider(ctx, olivia, at.idp, { keysEndAt });
    const { name } = newPerson(at.idp);
    const place = { subdomain: olivia.subdomain, providerId, idp: at.idp };
    const { key } = await signIn(ctx, place, name, { wanted: 'api_key' });
    await removeOidcProvider(ctx, olivia, { providerId });
    const valid = 'select 1 from api_key where realm_id = $1 and user_id = $2 and revoked_at is null';
    expect(await ctx.db.query(valid, [olivia.realmId, key?.userId])).toHaveLength(left);
  }
});

describe('a test of a provider', () => {
  const faults = async (wanted: Partial<OidcProviderSettings> = {}, context = ctx) => {
    const providerId = await addProvider(ctx, olivia, at.idp, wanted);
    return (await testOidcProvider(context, admin, { providerId })).faults;
  };

  test('finds nothing where all is well, and says what the provider offers', async () => {
    const providerId = await addProvider(ctx, olivia, at.idp);
    expect(await testOidcProvider(ctx, admin, { providerId })).toEqual({
      ...{ faults: [], authorizationEndpoint: `${at.idp.issuer}/auth`, tokenEndpoint: `${at.idp.issuer}/token` },
      ...{ keys: 1, hasBackchannelLogout: true },
    });
  });

  test('says in words what is wrong', async () => {
    expect(await faults({ scopes: ['photos'] })).toEqual(['The provider does not list these scopes: photos.']);
    expect(await faults({ issuer: `${at.idp.issuer}/elsewhere` })).toEqual([
      expect.stringContaining('cannot be reached'),
    ]);
    at.idp.metadata = { token_endpoint: 'http://other.example.com/token' };
    expect(await faults()).toEqual(['The sign-in provider does not say where to sign in, with https.']);
  });

  test('reaches only addresses that the operator allows', async () => {
    const closed = { ...ctx, outside: createOutsideHttp({ allow: parseAllowList('') }) };
    expect(await faults({}, closed as typeof ctx)).toEqual([expect.stringContaining('cannot be reached')]);
    const providerId = await addProvider(ctx, olivia, at.idp);
    const place = { subdomain: olivia.subdomain, providerId, idp: at.idp };
    await expect(begin(closed as typeof ctx, place)).rejects.toThrow('The sign-in provider cannot be reached');
  });

  test('says that the secret must be entered again after BOT_KEY_SECRET has changed', async () => {
    const changed = { ...ctx, config: { ...ctx.config, BOT_KEY_SECRET: 'x'.repeat(32) } };
    expect(await faults({}, changed)).toEqual([expect.stringContaining('must be entered again')]);
  });
});

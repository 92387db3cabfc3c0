import type { SetLdapDirectoryRequest } from '@parley/shared/proto';
import { LIMITED, Slapd } from '@parley/shared/testing';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { freshName, newUser } from '../../test/examples';
import { issueApiKey } from '../api-keys/api-keys';
import { listAuditEntries } from '../audit/audit-log';
import { storeRealmSettings } from '../organization/realms.sql';
import { getLdapDirectory, listLdapDirectories, setLdapDirectory } from './directories';
import { syncLdapDirectory } from './sync-directory';
import { testLdapDirectory } from './test-directory';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
let slapd: Slapd;
let people: string[];

beforeAll(async () => {
  slapd = await Slapd.start();
});
afterAll(() => slapd.stop());
beforeEach(async () => {
  people = [];
  for (const uid of ['ann', 'ben', 'cem']) people.push(await slapd.addPerson(uid));
  await use();
});
afterEach(async () => {
  for (const dn of people.splice(0)) await slapd.remove(dn);
});

const use = (wanted: Partial<SetLdapDirectoryRequest> = {}) =>
  setLdapDirectory(ctx, { subdomain: olivia.subdomain, ...slapd.settings, ...wanted });
const sync = (maxDeactivations?: number) =>
  syncLdapDirectory(ctx, 'request', {
    subdomain: olivia.subdomain,
    ...(maxDeactivations !== undefined && { maxDeactivations }),
  });
const remove = async (index: number) => {
  const [dn] = people.splice(index, 1);
  await slapd.remove(dn as string);
};

/** Names and addresses of the active people who are not the owner. */
async function active() {
  const rows = await ctx.db.query<{ account: string }>(
    `select full_name || ' ' || delivery_email as account from user_account
     where realm_id = $1 and is_active and not is_bot and id <> $2 order by 1`,
    [olivia.realmId, olivia.userId],
  );
  return rows.map(({ account }) => account);
}

/** The same of those who belong to entries, with the accounts' ids. */
function accounts() {
  return ctx.db.query<{ id: number; account: string }>(
    `select u.id, full_name || ' ' || delivery_email as account from user_account u
     join ldap_identity i on i.realm_id = u.realm_id and i.user_id = u.id where u.realm_id = $1 order by account`,
    [olivia.realmId],
  );
}

const ANN = 'Person ann ann@example.org';
const BEN = 'Person ben ben@example.org';
const CEM = 'Person cem cem@example.org';

test('everybody in the directory gets an account, once', async () => {
  expect(await sync()).toMatchObject({ isComplete: true, fault: '', people: 3, created: 3, refused: 0 });
  expect(await active()).toEqual([ANN, BEN, CEM]);
  expect(await sync()).toMatchObject({ created: 0, changed: 0, deactivated: 0 });
});

test.each(['sign_in', 'nobody'])('with new accounts for %s, a sync makes none', async (newAccounts) => {
  await use({ newAccounts });
  expect(await sync()).toMatchObject({ people: 3, created: 0, refused: 0 });
  expect(await active()).toEqual([]);
});

test('an account that is there is linked by its address', async () => {
  await newUser(ctx, olivia, { email: 'Ann@example.org', fullName: 'Annie' });
  expect(await sync()).toMatchObject({ linked: 1, created: 2 });
  expect(await sync()).toMatchObject({ changed: 1 });
  expect(await active()).toEqual([ANN, BEN, CEM]);
});

test('names and addresses follow', async () => {
  await sync();
  await slapd.replace(people[0] as string, 'cn', ['Ann Other']);
  await slapd.replace(people[1] as string, 'mail', ['benjamin@example.org']);
  expect(await sync()).toMatchObject({ changed: 2, fault: '' });
  expect(await active()).toEqual(['Ann Other ann@example.org', 'Person ben benjamin@example.org', CEM]);
});

test.each([
  ['two swap', [1, 0, 2]],
  ['three rotate', [1, 2, 0]],
])('%s addresses and names at once, which are unique', async (_what, order) => {
  await storeRealmSettings(ctx.db, olivia.realmId, { require_unique_names: true });
  await sync();
  const former = [ANN, BEN, CEM];
  const ids = new Map((await accounts()).map(({ id, account }) => [account, id]));
  for (const [index, each] of order.entries()) {
    const [, name, mail] = (former[each] as string).split(' ') as [string, string, string];
    await slapd.replace(people[index] as string, 'mail', [mail]);
    await slapd.replace(people[index] as string, 'cn', [`Person ${name}`]);
  }
  const count = order.filter((each, index) => each !== index).length;
  expect(await sync()).toMatchObject({ changed: count, refused: 0, fault: '', isComplete: true });
  const now = new Map((await accounts()).map(({ id, account }) => [id, account]));
  expect(former.map((account) => now.get(ids.get(account) as number))).toEqual(order.map((each) => former[each]));
  const announced = "select from outbox where realm_id = $1 and kind = 'email.changed'";
  expect(await ctx.db.query(announced, [olivia.realmId])).toHaveLength(count);
  expect(await sync()).toMatchObject({ changed: 0, refused: 0 });
});

test('an exchange with somebody who cannot have the address keeps it from nobody else', async () => {
  await sync();
  await newUser(ctx, olivia, { email: 'taken@example.org' });
  // Cem takes the address that Ben gives up, who takes Ann's, who wants one that she cannot have.
  for (const [index, mail] of ['taken@example.org', 'ann@example.org', 'ben@example.org'].entries()) {
    await slapd.replace(people[index] as string, 'mail', [mail]);
  }
  await slapd.replace(people[1] as string, 'cn', ['Benjamin']);
  expect(await sync()).toMatchObject({ changed: 0, refused: 3 });
  await slapd.replace(people[0] as string, 'mail', ['free@example.org']);
  expect(await sync()).toMatchObject({ changed: 3, refused: 0 });
  const names = ['Benjamin ann@example.org', 'Person ann free@example.org', 'Person cem ben@example.org'];
  expect((await accounts()).map(({ account }) => account)).toEqual(names);
});

test('a name with characters that names cannot have is taken without them', async () => {
  await slapd.replace(people[0] as string, 'cn', ['Ann "the *first*" <@>']);
  await sync();
  expect((await active())[0]).toMatch(/^Ann the first <? ?ann@example.org$/);
});

test('an account whose entry is gone ends with its keys, and is back with its entry', async () => {
  await sync();
  const [ben] = await ctx.db.query<{ id: number }>(
    "select id from user_account where delivery_email = 'ben@example.org' and realm_id = $1",
    [olivia.realmId],
  );
  const holder = { realmId: olivia.realmId, userId: ben?.id as number, createdAtMs: ctx.clock.now() };
  await ctx.db.transaction((tx) => issueApiKey(tx, { ...holder, expiresAtMs: ctx.clock.now() + 1_000_000 }));
  await use({ userFilter: '(&(objectClass=person)(!(uid=ben)))' });
  expect(await sync()).toMatchObject({ deactivated: 1, people: 2, fault: '' });
  expect(await active()).toEqual([ANN, CEM]);
  const sessions = 'select from api_key where user_id = $1 and expires_at is not null and revoked_at is null';
  expect(await ctx.db.query(sessions, [holder.userId])).toEqual([]);
  const outbox = "select from outbox where realm_id = $1 and kind = 'user.deactivated'";
  expect(await ctx.db.query(outbox, [olivia.realmId])).toHaveLength(1);
  await use({ userFilter: '(objectClass=person)' });
  expect(await sync()).toMatchObject({ reactivated: 1 });
  expect(await active()).toEqual([ANN, BEN, CEM]);
});

test('an account that administrators have deactivated stays so', async () => {
  await sync();
  await ctx.db.query("update user_account set is_active = false where realm_id = $1 and full_name = 'Person ann'", [
    olivia.realmId,
  ]);
  expect(await sync()).toMatchObject({ reactivated: 0, created: 0, linked: 0 });
  expect(await active()).toEqual([BEN, CEM]);
});

test('more than the bound are deactivated by an order only', async () => {
  await use({ maxDeactivations: 1 });
  await sync();
  await remove(0);
  await remove(0);
  const refused = '2 accounts would be deactivated, more than the bound of 1: none is';
  expect(await sync()).toMatchObject({ deactivated: 0, fault: refused });
  expect(await active()).toEqual([ANN, BEN, CEM]);
  expect(await testLdapDirectory(ctx, { subdomain: olivia.subdomain, loginName: 'cem' })).toMatchObject({
    fault: refused,
    gone: 2,
    people: 1,
    foundDn: people[0],
  });
  expect(await sync(2)).toMatchObject({ deactivated: 2, fault: '' });
  expect(await active()).toEqual([CEM]);
});

test('a directory that answers nobody deactivates nobody, even by an order', async () => {
  await sync();
  await use({ userFilter: '(uid=nobody)' });
  expect(await sync(100)).toMatchObject({ deactivated: 0, fault: expect.stringContaining('answers nobody') });
  expect(await active()).toEqual([ANN, BEN, CEM]);
});

test.each([
  ['a base that does not exist', { userBase: 'ou=nowhere,dc=example,dc=org' }, 'No such object'],
  ['a wrong password of the service account', { bindPassword: 'wrong' }, 'the server refuses the service account'],
  ['an unknown authority', { ca: '' }, 'certificate'],
])('with %s nobody is deactivated, and the reason is said', async (_case, wanted, reason) => {
  await sync();
  await use(wanted);
  expect(await sync(100)).toMatchObject({ deactivated: 0, fault: expect.stringContaining(reason) });
  expect(await active()).toEqual([ANN, BEN, CEM]);
  expect((await getLdapDirectory(ctx, { subdomain: olivia.subdomain })).lastSync?.fault).toContain(reason);
});

test('a server that lists only a part keeps everybody, and people may sign in', async () => {
  await sync();
  await use({ bindDn: LIMITED.dn, bindPassword: LIMITED.password });
  const fault = expect.stringContaining('only a part of its entries: it needs a higher limit for the service account');
  expect(await sync(100)).toMatchObject({ deactivated: 0, fault });
  expect(await active()).toEqual([ANN, BEN, CEM]);
  const tested = await testLdapDirectory(ctx, { subdomain: olivia.subdomain, loginName: 'cem' });
  expect(tested).toMatchObject({ fault, people: 0, foundDn: people[2] });
});

test('an entry whose stable id cannot be read keeps everybody', async () => {
  await sync();
  await use({ idAttribute: 'employeeNumber' });
  expect(await sync(100)).toMatchObject({ deactivated: 0, people: 0, fault: expect.stringContaining('nobody') });
  await slapd.replace(people[0] as string, 'employeeNumber', ['17']);
  expect(await sync(100)).toMatchObject({
    deactivated: 0,
    fault: '2 entries have no employeeNumber: no account is deactivated',
  });
});

test('a server that is away keeps everybody, and a sync works again when it is back', async () => {
  await sync();
  await slapd.pause();
  expect(await sync()).toMatchObject({
    deactivated: 0,
    isComplete: true,
    fault: expect.stringContaining('ECONNREFUSED'),
  });
  await slapd.resume();
  expect(await sync()).toMatchObject({ fault: '', people: 3 });
  expect(await active()).toEqual([ANN, BEN, CEM]);
});

test('the last owner stays', async () => {
  const dn = await slapd.addPerson('olivia', { mail: 'olivia@example.com', name: 'Olivia Owner' });
  await sync();
  await slapd.remove(dn);
  const reasons = [expect.stringContaining('last owner')];
  expect(await sync()).toMatchObject({ deactivated: 0, refused: 1, reasons });
});

test('people who cannot be taken over are named, and keep nobody else', async () => {
  people.push(await slapd.addPerson('nomail', { mail: '' }));
  people.push(await slapd.addPerson('twin', { mail: 'ann@example.org' }));
  const result = await sync();
  expect(result).toMatchObject({ created: 3, refused: 2, isComplete: true });
  expect(result.reasons.some((reason) => reason.startsWith('uid=nomail,'))).toBe(true);
});

test('every change is in the audit log', async () => {
  await sync();
  await slapd.replace(people[0] as string, 'cn', ['Ann Other']);
  await remove(1);
  await sync();
  const { entries } = await listAuditEntries(ctx, { subdomain: olivia.subdomain, limit: 20 } as never);
  const acts = entries.map(({ json }) => JSON.parse(json).act as string).filter((act) => act.startsWith('ldap-'));
  expect(acts.sort()).toEqual([
    ...['ldap-account-changed', 'ldap-account-created', 'ldap-account-created', 'ldap-account-created'],
    'ldap-account-deactivated',
  ]);
});

test('the scheduler hears of directories that are switched on and were not synced lately', async () => {
  const isListed = async () =>
    (await listLdapDirectories(ctx, { olderThanMs: 30_000 })).subdomains.includes(olivia.subdomain);
  expect(await isListed()).toBe(true);
  await sync();
  expect(await isListed()).toBe(false);
  ctx.clock.advance(30_000);
  expect(await isListed()).toBe(true);
  // Synced by a replica whose clock was wrong.
  await ctx.db.query("update ldap_sync set began_at = '2038-01-01' where realm_id = $1", [olivia.realmId]);
  expect(await isListed()).toBe(true);
  await use({ isEnabled: false });
  expect(await isListed()).toBe(false);
  await expect(sync()).rejects.toThrow('switched off');
});

describe('a large directory', () => {
  const COUNT = 1_200;
  let large: Slapd;
  beforeAll(async () => {
    const entries = Array.from({ length: COUNT }, (_each, n) => {
      const name = freshName(`p${n}`);
      return [
        ...[`dn: uid=${name},ou=people,dc=example,dc=org`, 'objectClass: inetOrgPerson', `uid: ${name}`],
        // Ten share an address.
        ...[`cn: ${name}`, 'sn: x', `mail: ${n < 10 ? 'shared' : name}@example.org`],
      ].join('\n');
    });
    large = await Slapd.start(entries);
  });
  afterAll(() => large.stop());

  test('is read page by page, and its people get accounts in sets; those who are refused do not keep others', async () => {
    await use(large.settings);
    expect(await testLdapDirectory(ctx, { subdomain: olivia.subdomain, loginName: '' })).toMatchObject({
      people: COUNT,
    });
    const before = ctx.db.statementCount;
    let created = 0;
    // On a slow machine a step may end before all of them have accounts.
    while (created < COUNT - 9) {
      const step = await sync();
      expect(step).toMatchObject({ people: COUNT, refused: 9 });
      expect(step.created).toBeGreaterThan(0);
      created += step.created;
    }
    expect(created).toBe(COUNT - 9);
    expect(ctx.db.statementCount - before).toBeLessThan(COUNT);
    expect(await active()).toHaveLength(COUNT - 9);
    const { entries } = await listAuditEntries(ctx, { subdomain: olivia.subdomain, limit: 2 } as never);
    expect(entries.map(({ json }) => JSON.parse(json))).toEqual([
      expect.objectContaining({
        act: 'ldap-account-created',
        after: expect.objectContaining({ dn: expect.any(String) }),
      }),
      expect.objectContaining({ act: 'ldap-account-created' }),
    ]);
    expect(await sync()).toMatchObject({ created: 0, refused: 9, isComplete: true });
  });
});

import type { Sql } from '@parley/shared/db';
import { nodesOf, observed, rowsReadIn } from '@parley/shared/testing';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { newUser } from '../../test/examples';
import { newProvider, PATCH_OP } from '../../test/scim';
import { getOwnUser } from '../accounts/get-own-user';
import { findUser } from '../accounts/users.sql';
import { authenticate } from '../api-keys/authenticate';
import { hashKey } from '../base/random-key';
import { fillRealm } from '../fill/fill-realm';
import { reactivateUser } from '../users/reactivate-user';
import { updateUser } from '../users/update-user';
import { type Condition, conditionOf, EVERYTHING } from './filter.sql';
import { findScimGroup } from './groups.sql';
import { listScimUsers } from './users.sql';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const dan = memberOfEachTest(ctx, olivia);

let provider: Awaited<ReturnType<typeof newProvider>>;
beforeEach(async () => {
  provider = await newProvider(ctx, olivia);
});

const ANN = { userName: 'Ann@Example.com', externalId: 'x-1', name: { givenName: 'Ann', familyName: 'Bell' } };
const accountOf = (id: string) => findUser(ctx.db, olivia.realmId, Number(id));

describe('a new user', () => {
  test('is an account with the organization’s defaults, and has no password', async () => {
    const made = await provider.create('User', { ...ANN, active: 'True', title: 'Boss' });
    expect(made).toEqual({
      ...{ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], id: made.id, externalId: 'x-1' },
      ...{ userName: 'Ann@Example.com', displayName: 'Ann Bell', active: true },
      name: { givenName: 'Ann', familyName: 'Bell' },
      emails: [{ value: 'Ann@Example.com', type: 'work', primary: true }],
      meta: { resourceType: 'User', created: expect.any(String) },
    });
    expect(await accountOf(made.id)).toMatchObject({ role: 400, isActive: true, deliveryEmail: 'Ann@Example.com' });
    const [row] = await ctx.db.query('select password_hash as hash from user_account where id = $1', [Number(made.id)]);
    expect(row).toEqual({ hash: null });
    expect(await provider.get('User', made.id)).toEqual(made);
  });

  test('may have a name of their own beside the address, and a name that mentions could not have', async () => {
    const emails = [{ value: 'private@example.com' }, { value: 'ann@example.com', primary: 'True', type: 'work' }];
    const made = await provider.create('User', { userName: 'abell', emails, displayName: 'Ann "The *Bell*" Bell' });
    expect(made).toMatchObject({ userName: 'abell', displayName: 'Ann The Bell Bell' });
    expect((await accountOf(made.id))?.deliveryEmail).toBe('ann@example.com');
  });

  test.each([
    [{ userName: 'ANN@example.COM' }],
    [{ userName: 'other', emails: [{ value: 'ann@example.com' }] }],
    [{ userName: 'OLIVIA@example.com' }],
  ])('is refused as a double: %j', async (body) => {
    await provider.create('User', ANN);
    const doubled = provider.create('User', body);
    await expect(doubled).rejects.toMatchObject({ httpStatus: 409, fields: { scimType: 'uniqueness' } });
  });

  test.each([
    [{}, 'userName is missing'],
    [{ userName: 'abell' }, 'emails has no e-mail address'],
    [{ ...ANN, active: 'perhaps' }, 'active is neither true nor false'],
    [{ ...ANN, userName: 'a\0b@example.com' }, 'userName is not a text'],
    [{ ...ANN, externalId: 'x'.repeat(256) }, 'externalId is too long (limit: 255 characters)'],
    [{ ...ANN, userName: 'ann@mailinator.com' }, 'Disposable email addresses are not allowed in this organization'],
    [{ ...ANN, name: 'Ann' }, 'name has an invalid value'],
  ])('has to be complete: %j', async (body, text) => {
    const refused = provider.create('User', body);
    await expect(refused).rejects.toMatchObject({
      message: text,
      httpStatus: 400,
      fields: { scimType: 'invalidValue' },
    });
  });

  test('of several made at once with one name there is one', async () => {
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => provider.create('User', ANN)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.httpStatus] : []));
    expect(refusals).toEqual([409, 409, 409]);
  });
});

describe('a patch', () => {
  const patched = async (id: string, ...operations: Record<string, unknown>[]) =>
    provider.patch('User', id, operations);
  let id: string;
  beforeEach(async () => {
    ({ id } = await provider.create('User', ANN));
  });

  test.each([
    ['Entra’s words', { op: 'Replace', path: 'active', value: 'False' }],
    ['Okta’s words', { op: 'replace', value: { active: false } }],
    [
      'a schema before the name',
      { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:Active', value: false },
    ],
  ])('deactivates, in %s: keys fail with the next request', async (_, operation) => {
    const bo = await newUser(ctx, olivia, { email: 'bo@example.com' });
    const credential = { subdomain: bo.subdomain, email: bo.email, apiKeyHash: hashKey(bo.apiKey) };
    const outcome = async () => (await authenticate(ctx, { credentials: [credential] })).results[0]?.outcome;
    expect(await outcome()).toBe('ok');
    expect(await patched(String(bo.userId), operation)).toMatchObject({ active: false });
    expect(await outcome()).toBe('user_deactivated');
    await patched(String(bo.userId), { op: 'Replace', path: 'active', value: 'True' });
    expect(await outcome()).toBe('ok');
  });

  test.each([
    ['add', 'emails[type eq "work"].value', 'new@example.com'],
    ['Replace', 'emails[primary eq true].value', 'new@example.com'],
    ['replace', 'emails.value', 'new@example.com'],
    ['Add', 'emails', [{ value: 'new@example.com', type: 'work', primary: true }]],
    ['replace', 'emails', { value: 'new@example.com' }],
  ])('%s of %s changes the address', async (op, path, value) => {
    expect(await patched(id, { op, path, value })).toMatchObject({ emails: [{ value: 'new@example.com' }] });
    expect((await accountOf(id))?.deliveryEmail).toBe('new@example.com');
  });

  test('keeps what the provider says about the only address', async () => {
    const emails = [{ value: 'new@example.com', type: 'work', primary: false }];
    expect(await patched(id, { op: 'replace', path: 'emails', value: emails })).toMatchObject({ emails });
    expect(await patched(id, { op: 'replace', path: 'active', value: true })).toMatchObject({ emails });
  });

  test('of the parts of a name renames the account, unless it has a name of its own', async () => {
    const married = { op: 'Replace', path: 'name.familyName', value: 'Cook' };
    expect(await patched(id, married)).toMatchObject({ displayName: 'Ann Cook', name: { givenName: 'Ann' } });
    expect(await patched(id, { op: 'Add', value: { displayName: 'Annie', 'name.familyName': 'Dee' } })).toMatchObject({
      displayName: 'Annie',
      name: { familyName: 'Dee' },
    });
    expect(await patched(id, married)).toMatchObject({ displayName: 'Annie' });
  });

  test('removes what may be absent', async () => {
    const bare = await patched(id, { op: 'Remove', path: 'externalId' }, { op: 'remove', path: 'name' });
    expect(bare).not.toHaveProperty('externalId');
    expect(bare).not.toHaveProperty('name');
    await expect(patched(id, { op: 'remove', path: 'userName' })).rejects.toThrow('userName is missing');
  });

  test('passes over standard attributes that are not kept, and those of other schemas', async () => {
    const department = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department';
    const own = 'urn:okta:parley:1.0:user:custom:team';
    const operations = [department, own, 'title', 'phoneNumbers[type eq "work"].value', 'name.middleName'];
    const before = await provider.get('User', id);
    expect(await patched(id, ...operations.map((path) => ({ op: 'Add', path, value: 'x' })))).toEqual(before);
    const value = { 'urn:okta:parley:1.0:user:custom': { team: 'x' }, displayName: 'Annie' };
    expect(await patched(id, { op: 'add', value })).toMatchObject({ displayName: 'Annie' });
  });

  test('may have its members in any casing', async () => {
    const document = { Schemas: [PATCH_OP], operations: [{ Op: 'Replace', Path: 'displayName', Value: 'Annie' }] };
    expect(await provider.patchBy('User', id, document)).toMatchObject({ displayName: 'Annie' });
  });

  test.each([
    [{ op: 'replace', path: 'nonsense', value: 1 }, 'invalidPath'],
    [{ op: 'add', path: '__proto__.polluted', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', value: { 'constructor.prototype.polluted': 'x' } }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq', value: 'x' }, 'invalidPath'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'copy', path: 'active' }, 'invalidSyntax'],
    [{ op: 'replace', path: 'active', value: 7 }, 'invalidValue'],
  ])('%j is refused as %s', async (operation, scimType) => {
    await expect(patched(id, operation)).rejects.toMatchObject({ httpStatus: 400, fields: { scimType } });
    expect({}).not.toHaveProperty('polluted');
  });

  test('of a name or address that somebody has is refused', async () => {
    for (const [path, value] of [
      ['userName', 'olivia@example.com'],
      ['emails.value', dan.email],
    ]) {
      await expect(patched(id, { op: 'replace', path, value })).rejects.toMatchObject({ httpStatus: 409 });
    }
    expect(await patched(id, { op: 'replace', path: 'userName', value: 'ANN@EXAMPLE.COM' })).toMatchObject({
      userName: 'ANN@EXAMPLE.COM',
    });
  });
});

test('a replacement leaves out what it does not have, and keeps the account’s address and activity', async () => {
  const { id } = await provider.create('User', ANN);
  const { externalId: _, ...rest } = ANN;
  const replaced = await provider.replace('User', id, { ...rest, displayName: 'A. Bell', userName: 'abell' });
  expect(replaced).toMatchObject({ userName: 'abell', displayName: 'A. Bell', active: true });
  expect(replaced).toMatchObject({ emails: [{ value: 'Ann@Example.com' }] });
  expect(replaced).not.toHaveProperty('externalId');
});

test('versions change with the account, whoever changes it, and protect against overwriting', async () => {
  const { id } = await provider.create('User', ANN);
  const version = await provider.version('User', id);
  expect(await provider.version('User', id)).toBe(version);
  await updateUser(ctx, olivia, { user: { id: Number(id) }, fullName: 'Annie', profileValues: [] });
  const changes = [
    () => provider.patch('User', id, [{ op: 'replace', path: 'active', value: false }], [version]),
    () => provider.replace('User', id, ANN, [version, 'W/"other"']),
    () => provider.remove('User', id, [version]),
  ];
  for (const change of changes) await expect(change()).rejects.toMatchObject({ httpStatus: 412 });
  await provider.remove('User', id, [version, await provider.version('User', id)]);
});

describe('a deleted user', () => {
  test('is deactivated and unknown to the provider, until somebody activates the account', async () => {
    const { id } = await provider.create('User', ANN);
    await provider.remove('User', id);
    expect(await accountOf(id)).toMatchObject({ isActive: false });
    const missing = { httpStatus: 404 };
    await expect(provider.get('User', id)).rejects.toMatchObject(missing);
    await expect(provider.remove('User', id)).rejects.toMatchObject(missing);
    await expect(provider.patch('User', id, [{ op: 'replace', path: 'active', value: true }])).rejects.toMatchObject(
      missing,
    );
    expect(await provider.list('User', { filter: 'userName eq "ann@example.com"' })).toMatchObject({ total: 0 });
    await reactivateUser(ctx, olivia, { userId: Number(id) });
    expect(await provider.get('User', id)).toMatchObject({ active: true });
  });

  test('comes back with the same account, without the provider’s former groups', async () => {
    const { id } = await provider.create('User', ANN);
    await provider.create('Group', { displayName: 'Writers', members: [{ value: id }] });
    await provider.remove('User', id);
    const back = await provider.create('User', { ...ANN, userName: 'ANN@example.com', displayName: 'Ann Again' });
    expect(back).toMatchObject({ id, active: true, displayName: 'Ann Again' });
    expect(back).not.toHaveProperty('groups');
  });
});

test('the last owner stays, whatever the provider says; owners made by hand are visible', async () => {
  const id = String(olivia.userId);
  expect(await provider.get('User', id)).toMatchObject({ userName: 'olivia@example.com', active: true });
  const ends = [
    () => provider.remove('User', id),
    () => provider.patch('User', id, [{ op: 'replace', path: 'active', value: false }]),
  ];
  for (const end of ends) await expect(end()).rejects.toMatchObject({ httpStatus: 403 });
  expect(await getOwnUser(ctx, olivia)).toMatchObject({ isActive: true });
});

test('accounts of other organizations and bots do not exist for a provider', async () => {
  const bots = await ctx.db.query<{ id: number }>('select id from user_account where realm_id = $1 and is_bot', [
    olivia.realmId,
  ]);
  const others = await ctx.db.query<{ id: number }>('select id from user_account where realm_id <> $1 limit 3', [
    olivia.realmId,
  ]);
  expect(bots.length).toBeGreaterThan(0);
  for (const id of [...[...bots, ...others].map((row) => String(row.id)), '0', '-1', 'x', '99999999999999999999']) {
    await expect(provider.get('User', id)).rejects.toMatchObject({ httpStatus: 404 });
  }
});

test('every act of a provider is in the audit log, with its token', async () => {
  const { id } = await provider.create('User', ANN);
  await provider.patch('User', id, [{ op: 'replace', path: 'displayName', value: 'Annie' }]);
  await provider.remove('User', id);
  const rows = await ctx.db.query<{ entry: string }>('select entry from audit_entry where realm_id = $1 order by seq', [
    olivia.realmId,
  ]);
  const entries = rows.map(({ entry }) => JSON.parse(entry)).filter(({ actor }) => actor.kind === 'scim');
  const common = { actor: { kind: 'scim', id: provider.tokenId }, subject: { kind: 'user', id: Number(id) } };
  expect(entries).toMatchObject([
    { ...common, act: 'create-scim-user', after: { email: 'Ann@Example.com', scim_external_id: 'x-1' } },
    { ...common, act: 'patch-scim-user', before: { full_name: 'Ann Bell' }, after: { full_name: 'Annie' } },
    { ...common, act: 'remove-scim-user', after: { is_active: false, scim_is_removed: true } },
  ]);
});

test('in a large organization a late page reads the groups of its people, and a group its members', async () => {
  const { realmId, subdomain } = olivia;
  const users = 3_000;
  await fillRealm(ctx, { subdomain, users, channels: 1, seed: 1 });
  const [group] = await ctx.db.query<{ id: number }>(
    `with made as (
       insert into user_group (realm_id, name, name_key, created_at)
       select $1, 'many ' || n, 'many ' || n, now() from generate_series(1, 600) n returning id
     ), listed as (
       insert into user_group_member (realm_id, group_id, user_id)
       select $1, g.id, u.id from made g, user_account u where u.realm_id = $1 and not u.is_bot and (u.id + g.id) % 51 = 0
     )
     select id from made limit 1`,
    [realmId],
  );
  await ctx.db.query(
    `insert into scim_user (realm_id, user_id, user_name, user_name_key)
     select realm_id, id, id::text, id::text from user_account where realm_id = $1 and not is_bot`,
    [realmId],
  );
  await ctx.db.query('vacuum analyze');
  const [page, one] = [observed(ctx.db), observed(ctx.db)];
  const { rows } = await listScimUsers(page.sql, realmId, EVERYTHING, { offset: users - 200, count: 50 });
  expect(rows.map(({ groups }) => groups.length).filter((groups) => groups < 10)).toEqual([]);
  expect(rowsReadIn(page.plans)).toBeLessThan(users * 6);
  const found = await findScimGroup(one.sql, realmId, group?.id as number, true);
  expect(rowsReadIn(one.plans)).toBeLessThan((found?.memberIds?.length as number) * 4);
});

test('in a large organization all people are counted, and passed over, without reading their accounts', async () => {
  const { realmId, subdomain } = olivia;
  const users = 3_000;
  await fillRealm(ctx, { subdomain, users, channels: 1, seed: 1 });
  await ctx.db.query(
    `insert into scim_user (realm_id, user_id, user_name, user_name_key, is_removed)
     select realm_id, id, id::text, id::text, id % 100 < 2 from user_account where realm_id = $1 and not is_bot`,
    [realmId],
  );
  await ctx.db.query('update user_account set is_active = false where realm_id = $1 and id % 100 in (1, 2)', [realmId]);
  await ctx.db.query('vacuum analyze');
  const list = (sql: Sql, condition: Condition, offset: number) =>
    listScimUsers(sql, realmId, condition, { offset, count: 50 });
  const { sql, plans } = observed(ctx.db);
  const page = await list(sql, EVERYTHING, users - 200);
  const scans = plans.flatMap(nodesOf).filter((node) => node['Index Name'] === 'user_account_people');
  expect(scans.map((node) => node['Node Type'])).toEqual(['Index Only Scan', 'Index Only Scan']);
  expect(page).toEqual(await list(ctx.db, conditionOf('User', 'meta.resourceType eq "User"'), users - 200));
});

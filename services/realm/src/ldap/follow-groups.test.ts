import type { SetLdapDirectoryRequest } from '@parley/shared/proto';
import { GROUPS, Slapd } from '@parley/shared/testing';
import { ROLES } from '@parley/shared/values';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newUser } from '../../test/examples';
import { groupOf, makeGroup } from '../../test/groups';
import { listAuditEntries } from '../audit/audit-log';
import { changeGroupMembers } from '../groups/change-membership';
import { fetchApiKey } from '../sign-in/sign-in';
import { setLdapDirectory } from './directories';
import { directoryPasswords } from './passwords';
import { syncLdapDirectory } from './sync-directory';
import { testLdapDirectory } from './test-directory';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
let slapd: Slapd;
let entries: string[];
let ann: string;
let ben: string;
let engineers: string;
let groupId: number;

beforeAll(async () => {
  slapd = await Slapd.start();
});
afterAll(() => slapd.stop());
beforeEach(async () => {
  ann = await slapd.addPerson('ann', { password: 'sesame' });
  ben = await slapd.addPerson('ben');
  engineers = await slapd.addGroup('Engineers', [ann, ben]);
  entries = [ann, ben, engineers];
  groupId = await makeGroup(ctx, olivia, { name: 'Builders', memberIds: [] });
  await use({ groupBase: GROUPS, groupRules: { rules: [{ groupName: 'engineers', groupId }] } });
});
afterEach(async () => {
  for (const dn of entries) await slapd.remove(dn);
});

const use = (wanted: Partial<SetLdapDirectoryRequest> = {}) =>
  setLdapDirectory(ctx, { subdomain: olivia.subdomain, ...slapd.settings, ...wanted });
const ruled = (...roles: [string, number][]) =>
  use({ roleRules: { rules: roles.map(([groupName, role]) => ({ groupName, role })) } });
const addGroup = async (...group: Parameters<Slapd['addGroup']>) => {
  const dn = await slapd.addGroup(...group);
  entries.push(dn);
  return dn;
};

/** Until nothing is left. */
async function sync() {
  const results = [];
  do results.push(await syncLdapDirectory(ctx, 'request', { subdomain: olivia.subdomain }));
  while (!results.at(-1)?.isComplete);
  return results.at(-1);
}

const signIn = async (username = 'ann', password = 'sesame') => {
  const request = { subdomain: olivia.subdomain, username, password, label: '', address: '' };
  return (await fetchApiKey(ctx, request, '', directoryPasswords(ctx, 'request'))).userId;
};

async function account(name: string) {
  const [row] = await ctx.db.query<{ id: number; role: number }>(
    'select id, role from user_account where realm_id = $1 and delivery_email = $2',
    [olivia.realmId, `${name}@example.org`],
  );
  return row as { id: number; role: number };
}
const idOf = async (name: string) => (await account(name)).id;
const roleOf = async (name: string) => (await account(name)).role;

/** The names of the group's members. */
async function members(id = groupId) {
  const { memberIds } = await groupOf(ctx, olivia, id);
  const rows = await ctx.db.query<{ name: string }>(
    "select split_part(delivery_email, '@', 1) as name from user_account where id = any($1) order by 1",
    [memberIds],
  );
  return rows.map(({ name }) => name);
}

const byHand = (addedIds: number[], removedIds: number[] = []) =>
  changeGroupMembers(ctx, olivia, { groupId, addedIds, removedIds, addedSubgroupIds: [], removedSubgroupIds: [] });

async function acts(name: string) {
  const { entries: rows } = await listAuditEntries(ctx, { subdomain: olivia.subdomain, limit: 100 } as never);
  return rows.map(({ json }) => JSON.parse(json)).filter(({ act }) => act === name);
}

describe('a sync', () => {
  test('puts people into the user groups of their groups, and takes them out again', async () => {
    expect(await sync()).toMatchObject({ fault: '', changed: 2 });
    expect(await members()).toEqual(['ann', 'ben']);
    await slapd.replace(engineers, 'member', [ben]);
    expect(await sync()).toMatchObject({ fault: '', changed: 1 });
    expect(await members()).toEqual(['ben']);
  });

  test('changes and records nothing where nothing has changed', async () => {
    await sync();
    const before = await acts('ldap-group-changed');
    expect(before).toMatchObject([{ subject: { kind: 'group', id: groupId }, actor: { kind: 'service' } }]);
    await byHand([olivia.userId]);
    expect(await sync()).toMatchObject({ fault: '', changed: 0 });
    expect(await acts('ldap-group-changed')).toEqual(before);
  });

  test.each([
    ['groupOfUniqueNames', () => [ann.toUpperCase().replaceAll(',', ' , ')]],
    ['posixGroup', () => ['ann']],
  ] as const)('knows the members of a %s', async (objectClass, listed) => {
    await addGroup('makers', listed(), objectClass);
    await use({ groupRules: { rules: [{ groupName: 'Makers', groupId }] } });
    await sync();
    expect(await members()).toEqual(['ann']);
  });

  test('leaves people who were put in by hand', async () => {
    await sync();
    const carl = await newUser(ctx, olivia, { email: 'carl@example.org' });
    await byHand([carl.userId], [await idOf('ann')]);
    await byHand([await idOf('ann')]);
    await slapd.replace(engineers, 'member', [`cn=somebody,${GROUPS}`]);
    expect(await sync()).toMatchObject({ fault: '' });
    expect(await members()).toEqual(['ann', 'carl']);
  });

  test.each([
    [
      'a base that does not exist',
      () => use({ groupBase: 'ou=nowhere,dc=example,dc=org' }),
      'groups: the server refuses',
    ],
    ['a filter that fits nothing', () => use({ groupFilter: '(objectClass=device)' }), 'answers no members of groups'],
    ['the only group gone', () => slapd.remove(entries.pop() as string), 'answers no members of groups'],
  ])('takes nobody out for %s, and says so', async (_case, spoil, fault) => {
    await ruled(['Engineers', ROLES.moderator]);
    await sync();
    await spoil();
    expect(await sync()).toMatchObject({ changed: 0, people: 2, fault: expect.stringContaining(fault) });
    expect([await members(), await roleOf('ann')]).toEqual([['ann', 'ben'], ROLES.moderator]);
    const tested = await testLdapDirectory(ctx, { subdomain: olivia.subdomain, loginName: '' });
    expect(tested.fault).toContain(fault);
    await signIn();
    expect([await members(), await roleOf('ann')]).toEqual([['ann', 'ben'], ROLES.moderator]);
  });

  test('gives roles by the first rule that fits, and takes back only what it has given', async () => {
    const staff = await addGroup('staff', [ann]);
    await ruled(['staff', ROLES.administrator], ['engineers', ROLES.moderator]);
    await sync();
    expect([await roleOf('ann'), await roleOf('ben')]).toEqual([ROLES.administrator, ROLES.moderator]);
    await slapd.replace(staff, 'member', [`cn=somebody,${GROUPS}`]);
    await slapd.replace(engineers, 'member', [ann]);
    await sync();
    expect([await roleOf('ann'), await roleOf('ben')]).toEqual([ROLES.moderator, ROLES.member]);
    expect((await acts('ldap-account-changed')).at(-1)).toHaveProperty('after.role');
  });

  test('a role that somebody gave by hand stays without a rule, also if a rule once named the same', async () => {
    await sync();
    const setRole = 'update user_account set role = $2 where id = $1';
    for (const name of ['ann', 'ben']) await ctx.db.query(setRole, [await idOf(name), ROLES.moderator]);
    const staff = await addGroup('staff', [ann]);
    await ruled(['staff', ROLES.moderator]);
    await sync();
    await slapd.replace(staff, 'member', [`cn=somebody,${GROUPS}`]);
    await sync();
    expect([await roleOf('ann'), await roleOf('ben')]).toEqual([ROLES.moderator, ROLES.moderator]);
  });

  test('the last owner stays one, and it is said', async () => {
    const owner = await slapd.addPerson('olivia', { mail: 'olivia@example.com' });
    entries.push(owner);
    await addGroup('guests', [owner, ann]);
    await ruled(['guests', ROLES.guest]);
    const reasons = [expect.stringContaining('last owner')];
    expect(await sync()).toMatchObject({ refused: 1, reasons });
    const rows = await ctx.db.query<{ role: number }>('select role from user_account where id = $1', [olivia.userId]);
    expect([rows, await roleOf('ann')]).toEqual([[{ role: ROLES.owner }], ROLES.guest]);
  });
});

describe('a sign-in', () => {
  test('gives the groups and the role of the moment', async () => {
    await use({ newAccounts: 'sign_in' });
    await ruled(['engineers', ROLES.moderator]);
    await signIn();
    expect([await members(), await roleOf('ann')]).toEqual([['ann'], ROLES.moderator]);
    await slapd.replace(engineers, 'member', [ben]);
    await signIn();
    expect([await members(), await roleOf('ann')]).toEqual([[], ROLES.member]);
  });

  test('leaves somebody who was put in by hand', async () => {
    await use({ newAccounts: 'sign_in', groupRules: { rules: [] } });
    await byHand([await signIn()]);
    await use({ groupRules: { rules: [{ groupName: 'engineers', groupId }] } });
    await signIn();
    await slapd.replace(engineers, 'member', [ben]);
    await signIn();
    expect(await members()).toEqual(['ann']);
  });
});

test('without a base nothing is decided, and without rules nobody stays in by the directory', async () => {
  await sync();
  await use({ groupBase: '', groupRules: { rules: [] } });
  expect(await sync()).toMatchObject({ changed: 0, fault: '' });
  expect(await members()).toEqual(['ann', 'ben']);
  await use({ groupBase: GROUPS });
  expect(await sync()).toMatchObject({ changed: 2, fault: '' });
  expect(await members()).toEqual([]);
});

test('a rule for a group that cannot have members from outside is refused', async () => {
  const [system] = await ctx.db.query<{ id: number }>(
    "select id from user_group where realm_id = $1 and name = 'role:members'",
    [olivia.realmId],
  );
  for (const id of [system?.id as number, 987_654]) {
    const rules = { rules: [{ groupName: 'engineers', groupId: id }] };
    await expect(use({ groupRules: rules })).rejects.toThrow(`names group ${id}`);
  }
});

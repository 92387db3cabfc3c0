import { ROLES } from '@parley/shared/values';
import { decodeJwt } from 'jose';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { groupOf, makeGroup } from '../../test/groups';
import { newPerson, signIn, signInOfEachTest } from '../../test/oidc-sign-in';
import { findUser } from '../accounts/users.sql';
import { listAuditEntries } from '../audit/audit-log';
import { addressOf, groupsOf, roleOf, valuesAt } from './claims';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

let groupId: number;
beforeEach(async () => {
  groupId = await makeGroup(ctx, olivia, { name: 'Engineers', memberIds: [] });
});
const place = signInOfEachTest(ctx, olivia, () => ({
  ...{ groupsClaim: 'groups', groupRules: [{ value: 'eng', groupId }], rolesClaim: 'realm_access.roles' },
  roleRules: [
    { value: 'chat-owner', role: ROLES.owner },
    { value: 'chat-guest', role: ROLES.guest },
  ],
}));

const says = (name: string, groups: string[], roles: string[]) =>
  Object.assign(place.idp.people[name] as object, { groups, realm_access: { roles } });
const enter = async (name: string) => (await signIn(ctx, place, name)).key?.userId as number;
const roleNow = async (userId: number) => (await findUser(ctx.db, olivia.realmId, userId))?.role;
const members = async () => (await groupOf(ctx, olivia, groupId)).memberIds;

test('groups and role are those of the claims at each sign-in', async () => {
  const { name } = newPerson(place.idp);
  says(name, ['eng', 'others'], ['chat-owner']);
  const userId = await enter(name);
  expect([await members(), await roleNow(userId)]).toEqual([[userId], ROLES.owner]);
  says(name, [], ['chat-guest']);
  await enter(name);
  expect([await members(), await roleNow(userId)]).toEqual([[], ROLES.guest]);
  says(name, ['eng'], []);
  await enter(name);
  expect([await members(), await roleNow(userId)]).toEqual([[userId], ROLES.member]);
});

test('who was put into a group by hand stays, and a role that the provider did not give, too', async () => {
  groupId = await makeGroup(ctx, olivia, { name: 'Friends', memberIds: [iago.userId] });
  await ctx.db.query('update user_account set role = $2 where id = $1', [iago.userId, ROLES.moderator]);
  const { name } = newPerson(place.idp, { email: iago.email });
  says(name, [], []);
  expect(await enter(name)).toBe(iago.userId);
  expect([await members(), await roleNow(iago.userId)]).toEqual([[iago.userId], ROLES.moderator]);
});

test('the last owner stays one, whatever the claims say', async () => {
  const { name } = newPerson(place.idp, { email: olivia.email });
  says(name, [], ['chat-guest']);
  expect(await enter(name)).toBe(olivia.userId);
  expect(await roleNow(olivia.userId)).toBe(ROLES.owner);
});

test('a claim that Entra leaves out because it has too many values changes nothing', async () => {
  const { name } = newPerson(place.idp);
  says(name, ['eng'], ['chat-owner']);
  const userId = await enter(name);
  place.idp.tamper = async (answer) => {
    const { groups: _groups, realm_access: _roles, ...claims } = decodeJwt(answer['id_token'] as string);
    const _claim_names = { groups: 'src1', 'realm_access.roles': 'src1' };
    return { ...answer, id_token: await place.idp.sign({ ...claims, _claim_names }) };
  };
  Object.assign(place.idp.people[name] as object, { groups: undefined, realm_access: undefined });
  expect(await enter(name)).toBe(userId);
  expect([await members(), await roleNow(userId)]).toEqual([[userId], ROLES.owner]);
  place.idp.tamper = null;
  says(name, [], []);
  await enter(name);
  expect([await members(), await roleNow(userId)]).toEqual([[], ROLES.member]);
});

test('linking, roles and memberships are in the audit log, under the sign-in', async () => {
  const { name } = newPerson(place.idp, { email: iago.email });
  says(name, ['eng'], ['chat-owner']);
  await enter(name);
  await enter(name);
  const { entries } = await listAuditEntries(ctx, { subdomain: olivia.subdomain, limit: 100 });
  const signIns = entries.map(({ json }) => JSON.parse(json)).filter(({ act }) => act === 'sign-in');
  expect(signIns).toMatchObject([
    {
      subject: { kind: 'user', id: iago.userId },
      before: { role: ROLES.member },
      after: expect.objectContaining({ role: ROLES.owner }),
    },
    { subject: { kind: 'group', id: groupId }, after: { [`member.${iago.userId}`]: true } },
    { subject: { kind: 'user', id: iago.userId } },
  ]);
  const [{ after }] = signIns as [{ after: Record<string, unknown> }];
  expect(Object.entries(after).filter(([field]) => field.startsWith('identity.'))).toEqual([
    [expect.any(String), place.idp.issuer],
  ]);
  expect(JSON.stringify(entries)).not.toContain(name);
});

test.each([
  [{ groups: ['a', 1, 'b'] }, 'groups', ['a', 'b']],
  [{ groups: 'a' }, 'groups', ['a']],
  [{ realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
  [{ 'https://example.com/roles': ['a'] }, 'https://example.com/roles', ['a']],
  [{}, 'toString', []],
  [{ groups: null }, 'groups.a', []],
])('the claims %j have at %s the values %j', (claims, path, expected) => {
  expect([...valuesAt(claims, path)]).toEqual(expected);
});

test('without a claim that decides, nothing is decided', () => {
  const rules = { groupsClaim: '', groupRules: [], rolesClaim: '', roleRules: [] };
  expect(groupsOf({ groups: ['a'] }, rules)).toBeNull();
  expect(roleOf({ roles: ['a'] }, rules, ROLES.owner)).toBeNull();
});

test('an address counts as confirmed by the document that names it, and at Entra by its domain', () => {
  const named = { email: 'a@example.com' };
  const confirmed = { email: 'b@example.com', email_verified: true };
  expect(addressOf('https://id.example.com', [named, confirmed])).toEqual({ email: 'b@example.com', isVerified: true });
  expect(addressOf('https://id.example.com', [named, { email_verified: true }])).toMatchObject({ isVerified: false });
  const byDomain = [{ ...named, xms_edov: '1' }];
  expect(addressOf('https://login.microsoftonline.com/x/v2.0', byDomain)).toMatchObject({ isVerified: true });
  expect(addressOf('https://login.microsoftonline.com.evil.org/x', byDomain)).toMatchObject({ isVerified: false });
});

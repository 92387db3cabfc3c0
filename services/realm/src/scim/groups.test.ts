import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { groupIdOf, groupOf, makeGroup, someone } from '../../test/groups';
import { publicEvents } from '../../test/public-events';
import { newProvider } from '../../test/scim';
import { findUser } from '../accounts/users.sql';
import { setScimRole } from './roles';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const dan = memberOfEachTest(ctx, olivia);
const eve = memberOfEachTest(ctx, olivia);

let provider: Awaited<ReturnType<typeof newProvider>>;
beforeEach(async () => {
  provider = await newProvider(ctx, olivia);
});

const member = ({ userId }: { userId: number }) => ({ value: String(userId) });
const members = async (id: string) => (await groupOf(ctx, olivia, Number(id))).memberIds;
const both = () => [dan.userId, eve.userId].sort((a, b) => a - b);

describe('a new group', () => {
  test('is a user group with its members, doubled ones once', async () => {
    const wanted = [member(dan), member(eve), { ...member(dan), display: 'Dan', type: 'User' }];
    const made = await provider.create('Group', { displayName: 'Writers', externalId: 'g-1', members: wanted });
    expect(made).toEqual({
      ...{ schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], id: made.id, externalId: 'g-1' },
      displayName: 'Writers',
      members: both().map((id) => ({ value: String(id), type: 'User' })),
      meta: { resourceType: 'Group', created: expect.any(String) },
    });
    expect(await members(made.id)).toEqual(both());
    const events = await publicEvents(ctx, olivia, 'user_group');
    expect(events.slice(-2).map(({ event }) => event)).toMatchObject([{ op: 'add' }, { op: 'add_members' }]);
    expect(await provider.get('User', String(dan.userId))).toMatchObject({
      groups: [{ value: made.id, display: 'Writers', type: 'direct' }],
    });
  });

  test.each([
    ['Writers', 409, 'uniqueness'],
    ['role:owners', 400, 'invalidValue'],
    ['', 400, 'invalidValue'],
  ])('cannot be called %j', async (displayName, httpStatus, scimType) => {
    await makeGroup(ctx, olivia, { name: 'Writers' });
    const refused = provider.create('Group', { displayName });
    await expect(refused).rejects.toMatchObject({ httpStatus, fields: { scimType } });
  });

  test.each([[[{ value: '987654' }]], [[{ value: 'x' }]], [['x']], [[7.5]], ['x']])(
    'with the members %j is refused',
    async (wanted) => {
      const refused = provider.create('Group', { displayName: 'Writers', members: wanted });
      await expect(refused).rejects.toMatchObject({ httpStatus: 400, fields: { scimType: 'invalidValue' } });
      expect(await provider.list('Group')).toMatchObject({ total: 0 });
    },
  );
});

describe('a patch', () => {
  let id: string;
  beforeEach(async () => {
    ({ id } = await provider.create('Group', { displayName: 'Writers', externalId: 'g-1', members: [member(dan)] }));
  });

  test('adds and removes members, in the words of Entra and of Okta', async () => {
    await provider.patch('Group', id, [{ op: 'Add', path: 'members', value: [member(eve), member(eve), member(dan)] }]);
    expect(await members(id)).toEqual(both());
    await provider.patch('Group', id, [{ op: 'remove', path: `members[value eq "${dan.userId}"]` }]);
    expect(await members(id)).toEqual([eve.userId]);
    await provider.patch('Group', id, [{ op: 'Remove', path: 'members', value: [member(eve)] }]);
    expect(await members(id)).toEqual([]);
    await provider.patch('Group', id, [
      { op: 'replace', value: { id, displayName: 'Readers', members: [member(eve)] } },
    ]);
    expect(await members(id)).toEqual([eve.userId]);
    await provider.patch('Group', id, [{ op: 'replace', path: 'members', value: [member(dan)] }]);
    expect(await members(id)).toEqual([dan.userId]);
    await provider.patch('Group', id, [{ op: 'remove', path: 'members' }]);
    expect(await provider.get('Group', id)).not.toHaveProperty('members');
  });

  test('judges its operations in order', async () => {
    await provider.patch('Group', id, [
      { op: 'remove', path: 'members' },
      { op: 'add', path: 'members', value: [member(eve)] },
      { op: 'add', path: 'members', value: [member(dan)] },
      { op: 'remove', path: 'members', value: [member(dan)] },
    ]);
    expect(await members(id)).toEqual([eve.userId]);
  });

  test('may name the group anew, and is refused for a name that is taken', async () => {
    await provider.patch('Group', id, [{ op: 'Replace', path: 'displayName', value: 'Readers' }]);
    expect(await groupOf(ctx, olivia, Number(id))).toMatchObject({ name: 'Readers' });
    expect(await provider.get('Group', id)).toMatchObject({ externalId: 'g-1', displayName: 'Readers' });
    await makeGroup(ctx, olivia, { name: 'Taken' });
    const refused = provider.patch('Group', id, [{ op: 'replace', path: 'displayName', value: 'Taken' }]);
    await expect(refused).rejects.toMatchObject({ httpStatus: 409 });
  });

  test.each([
    [{ op: 'add', path: 'members[value eq "5"]', value: [] }, 'invalidPath'],
    [{ op: 'remove', path: 'members[display eq "Dan"]' }, 'invalidPath'],
    [{ op: 'remove', path: 'members[value co "5"]' }, 'invalidPath'],
    [{ op: 'remove', path: 'displayName' }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ value: '987654' }] }, 'invalidValue'],
  ])('%j is refused as %s', async (operation, scimType) => {
    await expect(provider.patch('Group', id, [operation])).rejects.toMatchObject({ fields: { scimType } });
  });

  test('of a deactivated user’s membership takes effect when they come back', async () => {
    const activate = (active: boolean) =>
      provider.patch('User', String(eve.userId), [{ op: 'replace', path: 'active', value: active }]);
    await activate(false);
    await provider.patch('Group', id, [{ op: 'add', path: 'members', value: [member(eve)] }]);
    expect(await members(id)).toEqual([dan.userId]);
    await activate(true);
    expect(await members(id)).toEqual(both());
  });
});

test('versions of a group change with its members', async () => {
  const { id } = await provider.create('Group', { displayName: 'Writers', members: [member(dan)] });
  const version = await provider.version('Group', id);
  await provider.patch('Group', id, [{ op: 'add', path: 'members', value: [member(eve)] }], [version]);
  expect(await provider.version('Group', id)).not.toBe(version);
  const late = provider.replace('Group', id, { displayName: 'Writers' }, [version]);
  await expect(late).rejects.toMatchObject({ httpStatus: 412 });
});

describe('a deleted group', () => {
  test('is deactivated, empty and unknown to the provider, and comes back by its name', async () => {
    const { id } = await provider.create('Group', { displayName: 'Writers', members: [member(dan)] });
    await provider.remove('Group', id);
    expect(await groupOf(ctx, olivia, Number(id))).toMatchObject({ isDeactivated: true, memberIds: [] });
    await expect(provider.get('Group', id)).rejects.toMatchObject({ httpStatus: 404 });
    await expect(provider.remove('Group', id)).rejects.toMatchObject({ httpStatus: 404 });
    expect(await provider.create('Group', { displayName: 'Writers' })).toMatchObject({ id });
  });

  test('stays, empty, where a permission uses it', async () => {
    const { id } = await provider.create('Group', { displayName: 'Writers', members: [member(dan)] });
    await makeGroup(ctx, olivia, {
      name: 'Theirs',
      settings: { can_manage_group: { groupId: Number(id), directMemberIds: [], directSubgroupIds: [] } },
    });
    await provider.remove('Group', id);
    expect(await groupOf(ctx, olivia, Number(id))).toMatchObject({ isDeactivated: false, memberIds: [] });
    expect(await provider.list('Group', { filter: 'displayName eq "Writers"' })).toMatchObject({ total: 0 });
  });
});

test('system groups and groups of settings do not exist for a provider', async () => {
  const id = await groupIdOf(ctx, olivia, 'role:owners');
  await expect(provider.get('Group', String(id))).rejects.toMatchObject({ httpStatus: 404 });
  await makeGroup(ctx, olivia, { name: 'Theirs', settings: { can_manage_group: someone(dan.userId) } });
  expect((await provider.list('Group')).bodies).toMatchObject([{ displayName: 'Theirs' }]);
});

describe('a role', () => {
  const roleOf = async ({ userId }: { userId: number }) => (await findUser(ctx.db, olivia.realmId, userId))?.role;
  const map = (groupName: string, role?: number) =>
    setScimRole(ctx, olivia, { groupName, ...(role !== undefined && { role }) });
  const put = (id: string, ...people: { userId: number }[]) =>
    provider.patch('Group', id, [{ op: 'replace', path: 'members', value: people.map(member) }]);

  test('follows the groups that give it, the most powerful one first, and ends with them', async () => {
    await map('Admins', 200);
    await map('Moderators', 300);
    const admins = await provider.create('Group', { displayName: 'Admins', members: [member(dan)] });
    const moderators = await provider.create('Group', {
      displayName: 'Moderators',
      members: [member(dan), member(eve)],
    });
    expect([await roleOf(dan), await roleOf(eve)]).toEqual([200, 300]);
    await put(admins.id);
    expect([await roleOf(dan), await roleOf(eve)]).toEqual([300, 300]);
    await provider.remove('Group', moderators.id);
    expect([await roleOf(dan), await roleOf(eve)]).toEqual([400, 400]);
  });

  test('is given at once to who is in the group already, and taken when the group gives it no more', async () => {
    await provider.create('Group', { displayName: 'Guests', members: [member(dan)] });
    await map('Guests', 600);
    expect(await roleOf(dan)).toBe(600);
    await map('Guests');
    expect(await roleOf(dan)).toBe(400);
  });

  test('that somebody gave by hand stays, and so does the last owner', async () => {
    await map('Members', 400);
    const { id } = await provider.create('Group', { displayName: 'Members', members: [member(olivia), member(dan)] });
    expect(await roleOf(olivia)).toBe(100);
    await map('Members', 100);
    expect(await roleOf(dan)).toBe(100);
    await ctx.db.query('update user_account set is_active = false where realm_id = $1 and id = $2', [
      olivia.realmId,
      olivia.userId,
    ]);
    await put(id);
    expect(await roleOf(dan)).toBe(100);
  });

  test('is given by owners only, and recorded', async () => {
    await expect(setScimRole(ctx, dan, { groupName: 'Admins', role: 200 })).rejects.toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    await expect(map('Admins', 250)).rejects.toThrow('Invalid role');
    await map('Admins', 200);
    await provider.create('Group', { displayName: 'Admins', members: [member(dan)] });
    const rows = await ctx.db.query<{ entry: string }>(
      'select entry from audit_entry where realm_id = $1 order by seq',
      [olivia.realmId],
    );
    expect(JSON.parse(rows.at(-1)?.entry as string)).toMatchObject({
      actor: { kind: 'scim', id: provider.tokenId },
      subject: { kind: 'user', id: dan.userId },
      before: { role: 400 },
      after: { role: 200 },
    });
  });
});

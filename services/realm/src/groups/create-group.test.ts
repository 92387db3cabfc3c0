import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, newUser, type Person } from '../../test/examples';
import { groupIdOf, groupOf, makeGroup, someone } from '../../test/groups';
import { publicEvents } from '../../test/public-events';
import { setGroupSetting } from '../group-settings/change-group-settings';
import { namedGroup } from '../group-settings/group-setting';
import { listGroups } from './list-groups';
import { deactivateGroup } from './update-group';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const groupEvents = async (person: Person) => {
  const events = await publicEvents(ctx, person, 'user_group');
  return events.filter(({ event }) => event['op'] === 'add');
};

test('a new group has its members and defaults; its creator manages it without being in it', async () => {
  const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia, { role: 600 })];
  const moderators = await groupIdOf(ctx, olivia, 'role:moderators');
  const groupId = await makeGroup(ctx, iago, {
    name: ' Friends ',
    description: 'Old ones ',
    memberIds: [zoe.userId, olivia.userId, zoe.userId],
    subgroupIds: [moderators],
  });
  const [nobody, everyone] = [
    namedGroup(await groupIdOf(ctx, olivia, 'role:nobody')),
    namedGroup(await groupIdOf(ctx, olivia, 'role:everyone')),
  ];
  expect(await groupOf(ctx, olivia, groupId)).toEqual({
    id: groupId,
    name: 'Friends',
    description: 'Old ones',
    isSystem: false,
    isDeactivated: false,
    creatorId: iago.userId,
    createdAtMs: ctx.clock.now(),
    memberIds: [olivia.userId, zoe.userId],
    directSubgroupIds: [moderators],
    settings: {
      can_add_members_group: someone(iago.userId),
      can_join_group: nobody,
      can_leave_group: everyone,
      can_manage_group: someone(iago.userId),
      can_mention_group: everyone,
      can_remove_members_group: nobody,
    },
  });
  expect(await groupEvents(olivia)).toMatchObject([
    {
      audience: { to: 'realm' },
      event: {
        group: {
          id: groupId,
          name: 'Friends',
          members: [olivia.userId, zoe.userId],
          can_manage_group: { direct_members: [iago.userId], direct_subgroups: [] },
          can_join_group: nobody.groupId,
        },
      },
    },
  ]);
});

test('settings are those of the request, normalized', async () => {
  const moderators = await groupIdOf(ctx, olivia, 'role:moderators');
  const groupId = await makeGroup(ctx, olivia, {
    name: 'Friends',
    settings: {
      can_join_group: { directMemberIds: [], directSubgroupIds: [moderators] },
      can_manage_group: { directMemberIds: [olivia.userId], directSubgroupIds: [moderators] },
      can_leave_group: { directMemberIds: [], directSubgroupIds: [] },
    },
  });
  expect((await groupOf(ctx, olivia, groupId)).settings).toMatchObject({
    can_join_group: namedGroup(moderators),
    can_manage_group: { directMemberIds: [olivia.userId], directSubgroupIds: [moderators] },
    can_leave_group: namedGroup(await groupIdOf(ctx, olivia, 'role:nobody')),
  });
});

test('errors come in this order, and nothing is created or announced', async () => {
  const stranger = await newOrganization(ctx);
  const gone = await newUser(ctx, olivia);
  await ctx.db.query('update user_account set is_active = false where id = $1', [gone.userId]);
  const foes = await makeGroup(ctx, olivia, { name: 'foes' });
  await deactivateGroup(ctx, olivia, { groupId: foes });
  const before = (await groupEvents(olivia)).length;
  const theirs = await groupIdOf(ctx, stranger, 'role:members');
  const everyone = namedGroup(await groupIdOf(ctx, olivia, 'role:everyone'));
  const bad = { memberIds: [stranger.userId], subgroupIds: [theirs], settings: { can_manage_group: everyone } };
  const refusals: [Parameters<typeof makeGroup>[2], string][] = [
    [{ ...bad, name: 'role:mine' }, "User group name cannot start with 'role:'."],
    [{ ...bad, name: 'foes' }, "User group 'foes' already exists."],
    [{ ...bad, name: 'new' }, `Invalid user ID: ${stranger.userId}`],
    [{ ...bad, name: 'new', memberIds: [olivia.userId, gone.userId] }, `Invalid user ID: ${gone.userId}`],
    [{ ...bad, name: 'new', memberIds: [] }, `Invalid user group ID: ${theirs}`],
    [{ ...bad, name: 'new', memberIds: [], subgroupIds: [2 ** 63] }, 'Invalid user group ID: '],
    [{ ...bad, name: 'new', memberIds: [], subgroupIds: [foes] }, 'User group is deactivated.'],
    [
      { ...bad, name: 'new', memberIds: [], subgroupIds: [] },
      "'can_manage_group' setting cannot be set to 'role:everyone' group.",
    ],
  ];
  for (const [wanted, message] of refusals) {
    await expect(makeGroup(ctx, olivia, wanted)).rejects.toThrow(message);
  }
  await expect(groupIdOf(ctx, olivia, 'new')).rejects.toThrow('there is no group');
  expect(await groupEvents(olivia)).toHaveLength(before);
});

test('names tell upper from lower case', async () => {
  await makeGroup(ctx, olivia, { name: 'Friends' });
  await makeGroup(ctx, olivia, { name: 'friends' });
  await expect(makeGroup(ctx, olivia, { name: 'Friends' })).rejects.toThrow("User group 'Friends' already exists.");
  await makeGroup(ctx, await newOrganization(ctx), { name: 'Friends' });
});

test('of several made at once by one name there is one, and the others learn why', async () => {
  const attempts = Array.from({ length: 5 }, () => makeGroup(ctx, olivia, { name: 'Friends' }));
  const results = await Promise.allSettled(attempts);
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.message] : []));
  expect(reasons).toEqual(Array.from({ length: 4 }, () => "User group 'Friends' already exists."));
});

describe('permission to create groups', () => {
  test('is never given to guests and bots', async () => {
    const guest = await newUser(ctx, olivia, { role: 600 });
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    await expect(makeGroup(ctx, guest, { name: 'x' })).rejects.toThrow('Not allowed for guest users');
    await expect(makeGroup(ctx, bot, { name: 'x' })).rejects.toThrow('This endpoint does not accept bot requests.');
  });

  test('follows the setting of the organization', async () => {
    const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
    await ctx.db.transaction((tx) =>
      setGroupSetting(
        tx,
        olivia.realmId,
        { of: 'realm', name: 'can_create_groups' },
        someone(iago.userId),
        ctx.clock.now(),
      ),
    );
    await makeGroup(ctx, iago, { name: 'x' });
    for (const person of [zoe, olivia]) {
      await expect(makeGroup(ctx, person, { name: '' })).rejects.toThrow('Insufficient permission');
    }
  });
});

describe('the list of groups', () => {
  test('begins with the system groups, which cannot be changed', async () => {
    const groupId = await makeGroup(ctx, olivia, { name: 'Friends' });
    const nobody = namedGroup(await groupIdOf(ctx, olivia, 'role:nobody'));
    const { groups } = await listGroups(ctx, olivia, { includesDeactivated: false });
    expect(groups.map(({ id }) => id)).toEqual([...groups.map(({ id }) => id)].sort((a, b) => a - b));
    expect(groups).toHaveLength(9);
    expect(groups[8]?.id).toBe(groupId);
    expect(groups[0]).toMatchObject({ name: 'role:internet', isSystem: true });
    expect(groups[0]).not.toHaveProperty('creatorId');
    expect(Object.values(groups[0]?.settings ?? {})).toEqual(Array.from({ length: 6 }, () => nobody));
  });

  test('omits deactivated groups unless they are requested', async () => {
    const groupId = await makeGroup(ctx, olivia, { name: 'Friends' });
    await deactivateGroup(ctx, olivia, { groupId });
    const ids = async (includesDeactivated: boolean) =>
      (await listGroups(ctx, olivia, { includesDeactivated })).groups.map(({ id }) => id);
    expect(await ids(false)).not.toContain(groupId);
    expect(await ids(true)).toContain(groupId);
  });

  test('counts members in their waiting period as members, not as full members', async () => {
    await ctx.db.query(`update realm set settings = '{"waiting_period_threshold": 1}' where id = $1`, [olivia.realmId]);
    const iago = await newUser(ctx, olivia);
    const membersOf = async (name: string) =>
      (await groupOf(ctx, olivia, await groupIdOf(ctx, olivia, name))).memberIds;
    expect(await membersOf('role:members')).toEqual([iago.userId]);
    expect(await membersOf('role:fullmembers')).toEqual([]);
    ctx.clock.advance(24 * 3600 * 1000);
    expect(await membersOf('role:fullmembers')).toEqual([iago.userId]);
  });

  test('is refused to guests and bots', async () => {
    const guest = await newUser(ctx, olivia, { role: 600 });
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    const listed = (person: Person) => listGroups(ctx, person, { includesDeactivated: false });
    await expect(listed(guest)).rejects.toThrow('Not allowed for guest users');
    await expect(listed(bot)).rejects.toThrow('This endpoint does not accept bot requests.');
  });
});

import { newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { groupIdOf, groupOf, makeGroup, someone } from '../../test/groups';
import { publicEvents } from '../../test/public-events';
import { changeGroupMembers, changeSubgroups } from './change-membership';
import { getGroupMembers, getSubgroups, isGroupMember } from './list-groups';
import type { MembershipChange } from './plan-membership';
import { deactivateGroup } from './update-group';

let ctx: TestContext;
let olivia: Person;
let iago: Person;
let zoe: Person;
let groupId: number;
let eventsBefore: number;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
  groupId = await makeGroup(ctx, olivia, {
    name: 'Friends',
    memberIds: [iago.userId],
    settings: { can_join_group: someone(zoe.userId) },
  });
  eventsBefore = (await publicEvents(ctx, olivia, 'user_group')).length;
});
afterAll(() => ctx.close());

const NOTHING: MembershipChange = { addedIds: [], removedIds: [], addedSubgroupIds: [], removedSubgroupIds: [] };
const change = (person: Person, wanted: Partial<MembershipChange>, id = groupId) =>
  changeGroupMembers(ctx, person, { groupId: id, ...NOTHING, ...wanted });
const changeInside = (person: Person, addedIds: number[], removedIds: number[] = [], id = groupId) =>
  changeSubgroups(ctx, person, { groupId: id, addedIds, removedIds });
const eventsSince = async () =>
  (await publicEvents(ctx, olivia, 'user_group')).slice(eventsBefore).map(({ event }) => event);
const content = async () => {
  const { memberIds, directSubgroupIds } = await groupOf(ctx, olivia, groupId);
  return [memberIds, directSubgroupIds];
};

describe('members and groups', () => {
  test('are added and removed by one request, and notified one by one', async () => {
    const inner = await makeGroup(ctx, olivia, { name: 'inner' });
    const outdated = await makeGroup(ctx, olivia, { name: 'outdated' });
    await changeInside(olivia, [outdated]);
    eventsBefore += 3;
    await change(olivia, {
      addedIds: [zoe.userId, olivia.userId],
      removedIds: [iago.userId],
      addedSubgroupIds: [inner],
      removedSubgroupIds: [outdated],
    });
    expect(await content()).toEqual([[olivia.userId, zoe.userId], [inner]]);
    const about = { type: 'user_group', group_id: groupId };
    expect(await eventsSince()).toEqual([
      { ...about, op: 'add_members', user_ids: [zoe.userId, olivia.userId] },
      { ...about, op: 'remove_members', user_ids: [iago.userId] },
      { ...about, op: 'add_subgroups', direct_subgroup_ids: [inner] },
      { ...about, op: 'remove_subgroups', direct_subgroup_ids: [outdated] },
    ]);
  });

  test('stay as they were when any part of a request is refused', async () => {
    await expect(
      change(olivia, { addedIds: [zoe.userId], removedIds: [iago.userId], removedSubgroupIds: [groupId] }),
    ).rejects.toThrow(`User group ${groupId} is not a subgroup of this group.`);
    expect(await content()).toEqual([[iago.userId], []]);
    expect(await eventsSince()).toEqual([]);
  });

  test('may be people of any role and bots, not people deactivated or of another organization', async () => {
    const guest = await newUser(ctx, olivia, { role: 600 });
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    const stranger = await newOrganization(ctx);
    await change(olivia, { addedIds: [guest.userId, bot.userId] });
    await ctx.db.query('update user_account set is_active = false where id = any($1)', [[guest.userId, zoe.userId]]);
    for (const userId of [zoe.userId, stranger.userId, 2 ** 63]) {
      await expect(change(olivia, { addedIds: [userId] })).rejects.toThrow('Invalid user ID: ');
    }
    await expect(change(olivia, { removedIds: [guest.userId] })).rejects.toThrow(`Invalid user ID: ${guest.userId}`);
    expect(await content()).toEqual([[iago.userId, bot.userId], []]);
  });

  test('may change while the group is out of use', async () => {
    await deactivateGroup(ctx, olivia, { groupId });
    await change(olivia, { addedIds: [zoe.userId] });
    expect(await content()).toEqual([[iago.userId, zoe.userId], []]);
    expect((await eventsSince()).map((event) => event['op'])).toEqual(['remove']);
  });
});

test('joining and leaving have their own permissions; managers do the rest', async () => {
  await change(zoe, { addedIds: [zoe.userId] });
  await change(iago, { removedIds: [iago.userId] });
  await expect(change(iago, { addedIds: [iago.userId] })).rejects.toThrow('Insufficient permission');
  await expect(change(zoe, { addedIds: [iago.userId] })).rejects.toThrow('Insufficient permission');
  await expect(changeInside(zoe, [groupId])).rejects.toThrow('Insufficient permission');
  expect(await content()).toEqual([[zoe.userId], []]);
});

test('refusals come in this order', async () => {
  const guest = await newUser(ctx, olivia, { role: 600 });
  const members = await groupIdOf(ctx, olivia, 'role:members');
  const wrong = { addedIds: [2 ** 40] };
  const nothing = 'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".';
  await expect(change(guest, {})).rejects.toThrow('Not allowed for guest users');
  await expect(change(zoe, {}, 2 ** 40)).rejects.toThrow(nothing);
  await expect(changeInside(zoe, [], [], 2 ** 40)).rejects.toThrow(
    'Nothing to do. Specify at least one of "add" or "delete".',
  );
  await expect(change(zoe, wrong, 2 ** 40)).rejects.toThrow('Invalid user group');
  await expect(change(olivia, wrong, members)).rejects.toThrow('Insufficient permission');
  await expect(change(zoe, wrong)).rejects.toThrow('Insufficient permission');
  await expect(change(olivia, wrong)).rejects.toThrow(`Invalid user ID: ${2 ** 40}`);
});

test('a request has a bound', async () => {
  const addedIds = Array.from({ length: 20_001 }, (_, id) => id + 1);
  await expect(change(olivia, { addedIds })).rejects.toThrow('Too many ids (limit: 20000)');
});

describe('concurrent additions of groups to each other', () => {
  const outcome = async (links: [number, number][]) => {
    const results = await Promise.allSettled(links.map(([outer, inner]) => changeInside(olivia, [inner], [], outer)));
    return results.map((result) => (result.status === 'rejected' ? result.reason.message : 'done')).sort();
  };

  test('two: one of them is', async () => {
    for (let round = 0; round < 10; round += 1) {
      const a = await makeGroup(ctx, olivia, { name: `a ${round}` });
      const b = await makeGroup(ctx, olivia, { name: `b ${round}` });
      expect(
        await outcome([
          [a, b],
          [b, a],
        ]),
      ).toEqual([
        expect.stringMatching(/^User group \d+ is already a subgroup of one of the passed subgroups\.$/),
        'done',
      ]);
    }
  });

  test('four in a ring: three of them are', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ids: number[] = [];
      for (const name of 'abcd') ids.push(await makeGroup(ctx, olivia, { name: `${name} ${round}` }));
      const [a, b, c, d] = ids as [number, number, number, number];
      const results = await outcome([
        [a, b],
        [c, d],
        [b, c],
        [d, a],
      ]);
      expect(results.filter((result) => result === 'done')).toHaveLength(3);
    }
  });
});

test('concurrent additions of one person: one succeeds, and the others get the reason', async () => {
  const attempts = Array.from({ length: 5 }, () => change(olivia, { addedIds: [zoe.userId] }));
  const results = await Promise.allSettled(attempts);
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.message] : []));
  expect(reasons).toEqual(Array.from({ length: 4 }, () => `User ${zoe.userId} is already a member of this group`));
});

describe('members and subgroups', () => {
  let inner: number;
  let moderators: number;

  beforeEach(async () => {
    moderators = await groupIdOf(ctx, olivia, 'role:moderators');
    inner = await makeGroup(ctx, olivia, { name: 'inner', memberIds: [zoe.userId], subgroupIds: [moderators] });
    await changeInside(olivia, [inner]);
  });

  const members = async (isDirectOnly: boolean, id = groupId) =>
    (await getGroupMembers(ctx, iago, { groupId: id, isDirectOnly })).memberIds;
  const subgroups = async (isDirectOnly: boolean, id = groupId) =>
    (await getSubgroups(ctx, iago, { groupId: id, isDirectOnly })).subgroupIds;
  const isIn = async (person: Person, isDirectOnly: boolean, id = groupId) =>
    (await isGroupMember(ctx, iago, { groupId: id, userId: person.userId, isDirectOnly })).isMember;

  test('members: directly, or in groups inside it; active ones', async () => {
    expect(await members(true)).toEqual([iago.userId]);
    expect(await members(false)).toEqual([olivia.userId, iago.userId, zoe.userId]);
    expect(await members(true, moderators)).toEqual([]);
    expect(await members(false, moderators)).toEqual([olivia.userId]);
    await ctx.db.query('update user_account set is_active = false where id = $1', [zoe.userId]);
    expect(await members(false)).toEqual([olivia.userId, iago.userId]);
  });

  test('groups: directly, or inside those, down to the owners', async () => {
    const [administrators, owners] = [
      await groupIdOf(ctx, olivia, 'role:administrators'),
      await groupIdOf(ctx, olivia, 'role:owners'),
    ];
    expect(await subgroups(true)).toEqual([inner]);
    expect(await subgroups(false)).toEqual([inner, moderators, administrators, owners].sort((a, b) => a - b));
    expect(await subgroups(true, moderators)).toEqual([administrators]);
    expect(await subgroups(false, owners)).toEqual([]);
  });

  test('a person: directly, or through groups inside it', async () => {
    expect([await isIn(iago, true), await isIn(iago, false)]).toEqual([true, true]);
    expect([await isIn(zoe, true), await isIn(zoe, false)]).toEqual([false, true]);
    expect([await isIn(olivia, true), await isIn(olivia, false)]).toEqual([false, true]);
    expect([await isIn(iago, true, inner), await isIn(iago, false, inner)]).toEqual([false, false]);
    const owners = await groupIdOf(ctx, olivia, 'role:owners');
    expect([await isIn(olivia, true, owners), await isIn(olivia, true, moderators)]).toEqual([true, false]);
    expect(await isIn(olivia, false, moderators)).toBe(true);
  });

  test('are refused to guests and bots, and of missing groups and people', async () => {
    const guest = await newUser(ctx, olivia, { role: 600 });
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    const stranger = await newOrganization(ctx);
    await expect(getGroupMembers(ctx, guest, { groupId, isDirectOnly: false })).rejects.toThrow('guest users');
    await expect(getSubgroups(ctx, bot, { groupId, isDirectOnly: false })).rejects.toThrow('bot requests');
    await expect(members(false, 2 ** 63)).rejects.toThrow('Invalid user group');
    await expect(subgroups(false, await groupIdOf(ctx, stranger, 'role:owners'))).rejects.toThrow('Invalid user group');
    await expect(isIn(stranger, false, 2 ** 40)).rejects.toThrow('Invalid user group');
    for (const person of [stranger, bot]) await expect(isIn(person, false)).rejects.toThrow('No such user');
    await ctx.db.query('update user_account set is_active = false where id = $1', [zoe.userId]);
    await expect(isIn(zoe, false)).rejects.toThrow('User is deactivated');
  });
});

test('changing 1,000 members takes as many statements as changing one', async () => {
  const rows = await ctx.db.query<{ id: number }>(
    `insert into user_account (realm_id, delivery_email, email, full_name, full_name_key, role, created_at)
     select $1, 'crowd' || i || '@example.com', 'crowd' || i || '@example.com', 'Crowd', 'crowd', 400, now()
     from generate_series(1, 1000) i returning id`,
    [olivia.realmId],
  );
  const count = async (addedIds: number[]) => {
    const before = ctx.db.statementCount;
    await change(olivia, { addedIds });
    return ctx.db.statementCount - before;
  };
  expect(await count(rows.slice(1).map(({ id }) => id))).toBe(await count([rows[0]?.id as number]));
});

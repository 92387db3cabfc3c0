import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { groupOf, makeGroup } from '../../test/groups';
import { publicEvents } from '../../test/public-events';
import { changeGroupMembers } from '../groups/change-membership';
import { changeOutsideMembers, followOutsideGroups } from './outside-memberships';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);
const zoe = memberOfEachTest(ctx, olivia);

let groupId: number;
let otherId: number;
beforeEach(async () => {
  groupId = await makeGroup(ctx, olivia, { name: 'Friends', memberIds: [zoe.userId] });
  otherId = await makeGroup(ctx, olivia, { name: 'Others', memberIds: [] });
});

const follow = (userId: number, groupIds: number[], source = 'oidc:1') =>
  ctx.db.transaction((tx) =>
    followOutsideGroups(tx, { realmId: olivia.realmId, source }, { userId, groupIds }, ctx.clock.now()),
  );
const members = async (id = groupId) => (await groupOf(ctx, olivia, id)).memberIds;
const byHand = (addedIds: number[], removedIds: number[]) =>
  changeGroupMembers(ctx, olivia, { groupId, addedIds, removedIds, addedSubgroupIds: [], removedSubgroupIds: [] });

test('a user has the groups that the source wants, and leaves those that it no longer wants, with events', async () => {
  const before = (await publicEvents(ctx, olivia, 'user_group')).length;
  await follow(iago.userId, [groupId, otherId]);
  await follow(iago.userId, [groupId, otherId]);
  await follow(iago.userId, [otherId]);
  expect([await members(), await members(otherId)]).toEqual([[zoe.userId], [iago.userId]]);
  const events = (await publicEvents(ctx, olivia, 'user_group')).slice(before).map(({ event }) => event);
  expect(events).toMatchObject([
    { op: 'add_members', group_id: groupId, user_ids: [iago.userId] },
    { op: 'add_members', group_id: otherId, user_ids: [iago.userId] },
    { op: 'remove_members', group_id: groupId, user_ids: [iago.userId] },
  ]);
});

test('who was put in by hand stays, whatever the source wants', async () => {
  await follow(zoe.userId, [groupId]);
  await follow(zoe.userId, []);
  expect(await members()).toEqual([zoe.userId]);
});

test('who was removed by hand is nobody’s any more, and comes back with the next wish', async () => {
  await follow(iago.userId, [groupId]);
  await byHand([], [iago.userId]);
  await byHand([iago.userId], []);
  await follow(iago.userId, []);
  expect(await members()).toEqual([iago.userId, zoe.userId].sort((a, b) => a - b));
});

test('a member whom two sources want stays until neither does', async () => {
  await follow(iago.userId, [groupId]);
  await follow(iago.userId, [groupId], 'scim');
  await follow(iago.userId, []);
  expect(await members()).toContain(iago.userId);
  await follow(iago.userId, [], 'scim');
  expect(await members()).toEqual([zoe.userId]);
});

test('groups that do not exist, and the system’s, are passed over', async () => {
  const [system] = await ctx.db.query<{ id: number }>(
    `select id from user_group where realm_id = $1 and name = 'role:owners'`,
    [olivia.realmId],
  );
  await follow(iago.userId, [system?.id as number, 987_654, otherId]);
  expect(await members(otherId)).toEqual([iago.userId]);
  expect(await members(system?.id as number)).toEqual([olivia.userId]);
});

test('many members of one group change at once; deactivated ones are there when they come back', async () => {
  await ctx.db.query('update user_account set is_active = false where id = $1', [iago.userId]);
  const change = { groupId, addedIds: [iago.userId, olivia.userId, zoe.userId], removedIds: [] };
  const source = { realmId: olivia.realmId, source: 'scim' };
  await ctx.db.transaction((tx) => changeOutsideMembers(tx, source, change, ctx.clock.now()));
  expect(await members()).toEqual([olivia.userId, zoe.userId]);
  await ctx.db.query('update user_account set is_active = true where id = $1', [iago.userId]);
  expect(await members()).toHaveLength(3);
});

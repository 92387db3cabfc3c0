import { announcedNotices } from '../../test/announced-notices';
import { newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { makeGroup } from '../../test/groups';
import { changeGroupMembers } from './change-membership';

let ctx: TestContext;
let olivia: Person;
let iago: Person;
let zoe: Person;
let groupId: number;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
  groupId = await makeGroup(ctx, olivia, { name: 'Friends', memberIds: [iago.userId] });
  await ctx.db.query('delete from outbox');
});
afterAll(() => ctx.close());

const change = (addedIds: number[], removedIds: number[]) =>
  changeGroupMembers(ctx, olivia, { groupId, addedIds, removedIds, addedSubgroupIds: [], removedSubgroupIds: [] });

test('users whom others add to a group, or remove, are notified', async () => {
  await change([zoe.userId], [iago.userId]);
  const actor = `@_**Olivia Owner|${olivia.userId}**`;
  expect(await announcedNotices(ctx, olivia)).toMatchObject([
    { to: { userIds: [zoe.userId] }, content: `${actor} added you to the group @_*Friends*.`, readByIds: [] },
    { to: { userIds: [iago.userId] }, content: `${actor} removed you from the group @_*Friends*.` },
  ]);
});

test('oneself and bots are not', async () => {
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  await change([olivia.userId, bot.userId], []);
  expect(await announcedNotices(ctx, olivia)).toEqual([]);
});

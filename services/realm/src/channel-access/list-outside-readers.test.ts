import type { GroupSetting } from '@parley/shared/proto';
import { newChannel } from '../../test/channels';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { crowd, join, leave, newGroup, newUser, type Person } from '../../test/examples';
import { namedGroup } from '../group-settings/group-setting';
import { listOutsideReaders } from './list-outside-readers';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

const unnamed = (...members: Person[]): GroupSetting => ({
  directMemberIds: members.map(({ userId }) => userId),
  directSubgroupIds: [],
});

const vault = (groupSettings: Record<string, GroupSetting>, ...subscribers: Person[]) =>
  newChannel(ctx, iago, `vault ${Math.random()}`, {
    subscriberIds: subscribers.map(({ userId }) => userId),
    settings: { isPrivate: true, isHistoryPublic: true, groupSettings },
  });

const readersOf = async (channelIds: number[], people: Person[]) => {
  const userIds = people.map(({ userId }) => userId);
  const { readers } = await listOutsideReaders(ctx, { realmId: olivia.realmId, channelIds, userIds });
  return readers.map(({ channelId, userId, intervals }) => [channelId, userId, intervals.length]);
};

test('a right to join permits reading a private channel from outside; administering it does not, and subscribers and guests are not listed', async () => {
  const [member, other, guest] = [
    await newUser(ctx, olivia),
    await newUser(ctx, olivia),
    await newUser(ctx, olivia, { role: 600 }),
  ];
  const group = await newGroup(ctx, olivia, { name: 'readers', members: [member, guest, iago] });
  const byGroup = await vault({ can_subscribe_group: namedGroup(group) }, iago);
  const byList = await vault({ can_add_subscribers_group: unnamed(other) });
  const administered = await vault({ can_administer_channel_group: unnamed(member) });
  const open = await newChannel(ctx, iago, 'open');
  const everybody = [olivia, iago, member, other, guest];
  expect(await readersOf([byGroup, byList, administered, open, 2 ** 63], everybody)).toEqual([
    [byGroup, member.userId, 0],
    [byList, other.userId, 0],
  ]);
  expect(await readersOf([byGroup, byList], [])).toEqual([]);
});

test('former subscribers who may still read are always listed, with their former versions', async () => {
  const [member, other] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
  const name = 'left';
  const channelId = await newChannel(ctx, iago, name, {
    subscriberIds: [member.userId, other.userId],
    settings: { isPrivate: true, isHistoryPublic: true, groupSettings: { can_subscribe_group: unnamed(member) } },
  });
  expect(await readersOf([channelId], [member, other])).toEqual([]);
  for (const person of [member, other]) await leave(ctx, person, [name]);
  expect(await readersOf([channelId], [])).toEqual([[channelId, member.userId, 1]]);
  await join(ctx, member, [name]);
  expect(await readersOf([channelId], [member])).toEqual([]);
});

test('deactivated users are not listed, and many users are checked at once', async () => {
  const member = await newUser(ctx, olivia);
  const channelId = await vault({ can_subscribe_group: unnamed(member) });
  expect(await readersOf([channelId], [member])).toHaveLength(1);
  await ctx.db.query('update user_account set is_active = false where realm_id = $1 and id = $2', [
    olivia.realmId,
    member.userId,
  ]);
  expect(await readersOf([channelId], [member])).toEqual([]);
  const userIds = await crowd(ctx, olivia, 2_000);
  expect(await listOutsideReaders(ctx, { realmId: olivia.realmId, channelIds: [channelId], userIds })).toEqual({
    readers: [],
  });
});

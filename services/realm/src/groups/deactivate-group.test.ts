import { CHANNEL_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { GroupSetting } from '@parley/shared/proto';
import { channelIds, newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { groupIdOf, groupOf, makeGroup } from '../../test/groups';
import { publicEvents } from '../../test/public-events';
import { getSendFacts } from '../facts/get-send-facts';
import { setGroupSetting } from '../group-settings/change-group-settings';
import { namedGroup, type SettingPlace } from '../group-settings/group-setting';
import { readGroupSettings } from '../group-settings/read-group-settings';
import { changeSubgroups } from './change-membership';
import { deactivateGroup } from './update-group';

let ctx: TestContext;
let olivia: Person;
let groupId: number;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  groupId = await makeGroup(ctx, olivia, { name: 'Friends', memberIds: [olivia.userId] });
});
afterAll(() => ctx.close());

const deactivate = (person: Person, id = groupId) => deactivateGroup(ctx, person, { groupId: id });
const give = (place: SettingPlace, value = namedGroup(groupId)) =>
  ctx.db.transaction((tx) => setGroupSetting(tx, olivia.realmId, place, value, ctx.clock.now()));

test('a deactivated group keeps its members, and is removed for older clients', async () => {
  await deactivate(olivia);
  expect(await groupOf(ctx, olivia, groupId)).toMatchObject({ isDeactivated: true, memberIds: [olivia.userId] });
  const last = async (capabilities: string[]) =>
    (await publicEvents(ctx, olivia, 'user_group', capabilities)).at(-1)?.event;
  expect(await last([])).toEqual({ type: 'user_group', op: 'remove', group_id: groupId });
  expect(await last(['include_deactivated_groups'])).toMatchObject({ op: 'update', data: { deactivated: true } });
});

test('mentions of it report the deactivation', async () => {
  const mentioned = async () => {
    const lists = { recipientIds: [], recipientEmails: [], mentionedNames: [], linkedChannelNames: [], emojiNames: [] };
    const query = { realmId: olivia.realmId, senderId: olivia.userId, ...lists, mentionedGroupNames: ['friends'] };
    return (await getSendFacts(ctx, { queries: [query] })).facts[0]?.mentionedGroups.map(({ id, isDeactivated }) => [
      id,
      isDeactivated,
    ]);
  };
  expect(await mentioned()).toEqual([[groupId, false]]);
  await deactivate(olivia);
  expect(await mentioned()).toEqual([[groupId, true]]);
});

test('refusals come in this order', async () => {
  const zoe = await newUser(ctx, olivia);
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  const elsewhere = await makeGroup(ctx, await newOrganization(ctx), { name: 'Theirs' });
  await expect(deactivate(bot, elsewhere)).rejects.toThrow('This endpoint does not accept bot requests.');
  await expect(deactivate(olivia, elsewhere)).rejects.toThrow('Invalid user group');
  await expect(deactivate(olivia, await groupIdOf(ctx, olivia, 'role:nobody'))).rejects.toThrow(
    'Insufficient permission',
  );
  await expect(deactivate(zoe)).rejects.toThrow('Insufficient permission');
  await deactivate(olivia);
  await expect(deactivate(olivia)).rejects.toMatchObject({
    name: 'NothingToDoError',
    message: 'User group is deactivated.',
  });
});

describe('a group in use stays', () => {
  const objections = async () => {
    const error = await deactivate(olivia).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'CANNOT_DEACTIVATE_GROUP_IN_USE' });
    expect((await groupOf(ctx, olivia, groupId)).isDeactivated).toBe(false);
    return (error as { fields: { objections: unknown } }).fields.objections;
  };
  const inside = () => ({ directMemberIds: [olivia.userId], directSubgroupIds: [groupId] });

  test('and lists every use: inside groups, and in settings, alone or with others', async () => {
    const { general, sandbox } = (await channelIds(ctx, olivia)) as { general: number; sandbox: number };
    const outer = await makeGroup(ctx, olivia, { name: 'outer', subgroupIds: [groupId] });
    const other = await makeGroup(ctx, olivia, { name: 'other' });
    await give({ of: 'channel', channelId: general, name: 'can_send_message_group' });
    await give({ of: 'channel', channelId: general, name: 'can_subscribe_group' }, inside());
    await give({ of: 'channel', channelId: sandbox, name: 'can_send_message_group' }, inside());
    await give({ of: 'group', groupId: other, name: 'can_mention_group' });
    await give({ of: 'group', groupId: other, name: 'can_join_group' }, inside());
    await give({ of: 'realm', name: 'can_create_groups' }, inside());
    await give({ of: 'realm', name: 'can_add_custom_emoji_group' });
    expect(await objections()).toEqual([
      { type: 'subgroup', supergroup_ids: [outer] },
      { type: 'channel', channel_id: general, settings: ['can_send_message_group', 'can_subscribe_group'] },
      { type: 'channel', channel_id: sandbox, settings: ['can_send_message_group'] },
      { type: 'user_group', group_id: other, settings: ['can_join_group', 'can_mention_group'] },
      { type: 'realm', settings: ['can_add_custom_emoji_group', 'can_create_groups'] },
    ]);
  });

  test('unless everything that uses it is deactivated or archived', async () => {
    const { general } = (await channelIds(ctx, olivia)) as { general: number };
    const outer = await makeGroup(ctx, olivia, { name: 'outer', subgroupIds: [groupId] });
    await give({ of: 'group', groupId: outer, name: 'can_mention_group' });
    await give({ of: 'channel', channelId: general, name: 'can_subscribe_group' });
    await deactivate(olivia, outer);
    await ctx.db.query('update channel set is_archived = true where id = $1', [general]);
    await deactivate(olivia);
  });
});

test('while a right is being given to the group, its deactivation waits, and is refused', async () => {
  const { general: channelId } = (await channelIds(ctx, olivia)) as { general: number };
  const wanted = { can_subscribe_group: namedGroup(groupId) };
  const { attempt } = await ctx.db.transaction(async (tx) => {
    const { can_subscribe_group: value } = await readGroupSettings(
      tx,
      olivia.realmId,
      CHANNEL_PERMISSION_SETTINGS,
      wanted,
    );
    const result = deactivate(olivia).catch((error: unknown) => error);
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await ctx.db.query(waiting)).length === 0) await new Promise(setImmediate);
    const place = { of: 'channel', channelId, name: 'can_subscribe_group' } as const;
    await setGroupSetting(tx, olivia.realmId, place, value as GroupSetting, ctx.clock.now());
    return { attempt: result };
  });
  expect(await attempt).toMatchObject({ code: 'CANNOT_DEACTIVATE_GROUP_IN_USE' });
});

test('of a concurrent deactivation and use of a group, one is refused', async () => {
  for (let round = 0; round < 10; round += 1) {
    const inner = await makeGroup(ctx, olivia, { name: `inner ${round}` });
    const outer = await makeGroup(ctx, olivia, { name: `outer ${round}` });
    const results = await Promise.allSettled([
      deactivate(olivia, inner),
      changeSubgroups(ctx, olivia, { groupId: outer, addedIds: [inner], removedIds: [] }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  }
});

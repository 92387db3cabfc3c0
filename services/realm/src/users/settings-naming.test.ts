import { newChannel, reached } from '../../test/channels';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newUser, type Person } from '../../test/examples';
import { groupOf, makeGroup, someone } from '../../test/groups';
import { publicEvents } from '../../test/public-events';
import { deactivateBot } from '../bots/bots';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { updateRealm } from '../realms/update-realm';
import { deactivateUser } from './deactivate-user';
import { reactivateUser } from './reactivate-user';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
let dan: Person;
let eve: Person;

beforeEach(async () => {
  [dan, eve] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
});

const deactivate = ({ userId }: Person) => deactivateUser(ctx, olivia, { userId });
const reactivate = ({ userId }: Person) => reactivateUser(ctx, olivia, { userId });
const anyOf = (...people: Person[]) => ({ direct_members: people.map(({ userId }) => userId), direct_subgroups: [] });
const ids = (...people: Person[]) => someone(...people.map(({ userId }) => userId));
const nobody = async () => (await findSystemGroupIds(ctx.db, olivia.realmId))['role:nobody'];

async function updatesSince(act: () => Promise<unknown>, type: 'realm' | 'user_group' | 'stream') {
  const before = (await publicEvents(ctx, olivia, type)).length;
  await act();
  const events = (await publicEvents(ctx, olivia, type)).slice(before);
  return events.filter(({ event }) => String(event['op']).startsWith('update'));
}

const givePermission = (name: string, ...people: Person[]) =>
  updateRealm(ctx, olivia, { settings: '{}', groupSettings: { [name]: { new: ids(...people), old: null } } });

test('a permission of the organization lists active users only', async () => {
  await givePermission('can_create_groups', dan, eve);
  await givePermission('can_create_bots_group', dan);
  await givePermission('can_invite_users_group', eve);
  const update = (data: object) => [
    { audience: { to: 'realm' }, event: { type: 'realm', op: 'update_dict', property: 'default', data } },
  ];
  expect(await updatesSince(() => deactivate(dan), 'realm')).toEqual(
    update({ can_create_groups: anyOf(eve), can_create_bots_group: await nobody() }),
  );
  expect(await updatesSince(() => reactivate(dan), 'realm')).toEqual(
    update({ can_create_groups: anyOf(dan, eve), can_create_bots_group: anyOf(dan) }),
  );
});

test('a setting of a group, given or by default of its creator, lists active users only', async () => {
  const given = await makeGroup(ctx, olivia, { name: 'given', settings: { can_join_group: ids(dan, eve) } });
  const made = await makeGroup(ctx, dan, { name: 'made' });
  await makeGroup(ctx, olivia, { name: 'other', settings: { can_join_group: ids(eve) } });
  const events = await updatesSince(() => deactivate(dan), 'user_group');
  const update = (group_id: number, data: object) => ({ event: { type: 'user_group', op: 'update', group_id, data } });
  expect(events).toMatchObject([
    update(given, { can_join_group: anyOf(eve) }),
    update(made, { can_manage_group: await nobody() }),
  ]);
  const shown = await groupOf(ctx, olivia, made);
  expect(shown.settings['can_manage_group']).toMatchObject({ groupId: await nobody() });
  expect(await updatesSince(() => reactivate(dan), 'user_group')).toMatchObject([
    update(given, { can_join_group: anyOf(dan, eve) }),
    update(made, { can_manage_group: anyOf(dan) }),
  ]);
});

test('a setting of a channel lists active users only, in events for users who see the channel', async () => {
  const settings = { isPrivate: true, groupSettings: { can_subscribe_group: ids(dan, eve) } };
  const channelId = await newChannel(ctx, olivia, 'lab', { settings });
  const outsider = await newUser(ctx, olivia);
  const people = { olivia, dan, eve, outsider };
  const gone = await updatesSince(() => deactivate(dan), 'stream');
  expect(gone.map(({ event }) => event)).toEqual([
    {
      ...{ type: 'stream', op: 'update', stream_id: channelId, name: 'lab' },
      ...{ property: 'can_subscribe_group', value: anyOf(eve) },
    },
  ]);
  expect(gone.map(({ audience }) => reached(audience, people))).toEqual([['olivia', 'eve']]);
  const back = await updatesSince(() => reactivate(dan), 'stream');
  expect(back).toMatchObject([{ event: { op: 'update', value: anyOf(dan, eve) } }]);
  expect(back.map(({ audience }) => reached(audience, people))).toEqual([['olivia', 'dan', 'eve']]);
});

test('events for old clients have the posting policy, too, and a channel of a deactivated creator has no administrator', async () => {
  const { 'role:administrators': administratorsId } = await findSystemGroupIds(ctx.db, olivia.realmId);
  const groupSettings = {
    can_send_message_group: { directMemberIds: [dan.userId], directSubgroupIds: [administratorsId] },
  };
  await newChannel(ctx, dan, 'news', { settings: { groupSettings } });
  const changed = async (act: () => Promise<unknown>) =>
    (await updatesSince(act, 'stream')).map(({ event }) => [event['property'], event['value']]);
  expect(await changed(() => deactivate(dan))).toEqual([
    ['can_administer_channel_group', await nobody()],
    ['can_send_message_group', administratorsId],
    ['stream_post_policy', 2],
    ['is_announcement_only', true],
  ]);
  expect(await changed(() => reactivate(dan))).toEqual([
    ['can_administer_channel_group', anyOf(dan)],
    ['can_send_message_group', { direct_members: [dan.userId], direct_subgroups: [administratorsId] }],
    ['stream_post_policy', 1],
    ['is_announcement_only', false],
  ]);
});

test('bots deactivated with their owner leave the settings, too', async () => {
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: dan.email });
  await givePermission('can_create_groups', dan, bot, eve);
  const shown = async (act: () => Promise<unknown>) =>
    (await updatesSince(act, 'realm')).map(({ event }) => event['data']);
  expect(await shown(() => deactivate(dan))).toEqual([{ can_create_groups: anyOf(eve) }]);
  expect(await shown(() => reactivate(bot))).toEqual([{ can_create_groups: anyOf(eve, bot) }]);
  expect(await shown(() => deactivateBot(ctx, olivia, { botId: bot.userId }))).toEqual([
    { can_create_groups: anyOf(eve) },
  ]);
});

test('costs as many statements for one channel as for many', async () => {
  const countOf = async () => {
    const before = ctx.db.statementCount;
    await deactivate(dan);
    await reactivate(dan);
    return ctx.db.statementCount - before;
  };
  const settings = { groupSettings: { can_subscribe_group: ids(dan, eve) } };
  await newChannel(ctx, olivia, 'one', { settings });
  // Keys are revoked the first time only.
  await countOf();
  const forOne = await countOf();
  for (const name of ['two', 'three', 'four']) await newChannel(ctx, olivia, name, { settings });
  expect(await countOf()).toBe(forOne);
});

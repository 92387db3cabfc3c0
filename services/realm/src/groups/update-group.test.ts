import type { UpdateGroupRequest } from '@parley/shared/proto';
import { newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { groupIdOf, groupOf, makeGroup, someone } from '../../test/groups';
import { publicEvents } from '../../test/public-events';
import { namedGroup } from '../group-settings/group-setting';
import { deactivateGroup, updateGroup } from './update-group';

const KNOWS_DEACTIVATED = ['include_deactivated_groups'];

let ctx: TestContext;
let olivia: Person;
let iago: Person;
let groupId: number;
let eventsBefore: number;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  iago = await newUser(ctx, olivia);
  groupId = await makeGroup(ctx, iago, { name: 'Friends', description: 'Old ones', memberIds: [iago.userId] });
  eventsBefore = (await publicEvents(ctx, olivia, 'user_group')).length;
});
afterAll(() => ctx.close());

const update = (person: Person, wanted: Partial<UpdateGroupRequest>) =>
  updateGroup(ctx, person, { groupId, settings: {}, ...wanted });

const eventsSince = async (capabilities: string[] = []) =>
  (await publicEvents(ctx, olivia, 'user_group', capabilities)).slice(eventsBefore).map(({ event }) => event);

test('name, description and settings change together, with one event', async () => {
  const moderators = await groupIdOf(ctx, olivia, 'role:moderators');
  await update(iago, {
    name: ' Foes ',
    description: '',
    settings: {
      can_join_group: { new: namedGroup(moderators), old: someone() },
      can_mention_group: { new: someone(iago.userId, olivia.userId), old: null },
    },
  });
  expect(await groupOf(ctx, olivia, groupId)).toMatchObject({
    name: 'Foes',
    description: '',
    settings: {
      can_join_group: namedGroup(moderators),
      can_mention_group: someone(olivia.userId, iago.userId),
      can_manage_group: someone(iago.userId),
    },
  });
  expect(await eventsSince()).toEqual([
    {
      type: 'user_group',
      op: 'update',
      group_id: groupId,
      data: {
        name: 'Foes',
        description: '',
        can_join_group: moderators,
        can_mention_group: { direct_members: [olivia.userId, iago.userId], direct_subgroups: [] },
      },
    },
  ]);
});

test('unchanged values are not announced', async () => {
  await update(iago, { name: ' Friends', description: 'Old ones', isDeactivated: false });
  await update(iago, { settings: { can_join_group: { new: someone(), old: null } } });
  expect(await eventsSince()).toEqual([]);
});

test('a wrong old value is refused, and nothing of the rest happens', async () => {
  const change = { new: someone(), old: someone(olivia.userId) };
  await expect(update(iago, { name: 'Foes', settings: { can_join_group: change } })).rejects.toMatchObject({
    code: 'EXPECTATION_MISMATCH',
  });
  expect((await groupOf(ctx, olivia, groupId)).name).toBe('Friends');
  expect(await eventsSince()).toEqual([]);
});

test('refusals come in this order', async () => {
  const zoe = await newUser(ctx, olivia);
  const guest = await newUser(ctx, olivia, { role: 600 });
  const elsewhere = await makeGroup(ctx, await newOrganization(ctx), { name: 'Theirs' });
  const owners = await groupIdOf(ctx, olivia, 'role:owners');
  await makeGroup(ctx, olivia, { name: 'Foes' });
  const attempts: [Person, Partial<UpdateGroupRequest>, string][] = [
    [guest, {}, 'Not allowed for guest users'],
    [zoe, { groupId: elsewhere }, 'No new data supplied'],
    [zoe, { groupId: elsewhere, isDeactivated: true }, 'Invalid deactivated'],
    [zoe, { groupId: elsewhere, name: '' }, 'Invalid user group'],
    [zoe, { groupId: 2 ** 63, name: '' }, 'Invalid user group'],
    [olivia, { groupId: owners, name: '' }, 'Insufficient permission'],
    [zoe, { name: '' }, 'Insufficient permission'],
    [iago, { name: '', description: 'x'.repeat(1025) }, "User group name can't be empty!"],
    [iago, { name: 'Foes', description: 'x'.repeat(1025) }, "User group 'Foes' already exists."],
    [iago, { description: 'x'.repeat(1025) }, 'description is too long (limit: 1024 characters)'],
  ];
  for (const [person, wanted, message] of attempts) {
    await expect(update(person, wanted)).rejects.toThrow(message);
  }
});

test('managers of all groups may change it; once it is managed by others, its creator may not', async () => {
  await update(olivia, { settings: { can_manage_group: { new: someone(olivia.userId), old: null } } });
  await expect(update(iago, { name: 'Foes' })).rejects.toThrow('Insufficient permission');
});

describe('a deactivated group', () => {
  beforeEach(async () => {
    await deactivateGroup(ctx, iago, { groupId });
    eventsBefore += 1;
  });

  test('can be renamed, which is announced only to clients that know deactivated groups', async () => {
    await update(iago, { name: 'Foes' });
    expect(await groupOf(ctx, olivia, groupId)).toMatchObject({ name: 'Foes', isDeactivated: true });
    expect(await eventsSince()).toEqual([]);
    expect(await eventsSince(KNOWS_DEACTIVATED)).toMatchObject([{ op: 'update', data: { name: 'Foes' } }]);
  });

  test('comes back with all that it had', async () => {
    await update(iago, { isDeactivated: false });
    expect(await groupOf(ctx, olivia, groupId)).toMatchObject({ isDeactivated: false, memberIds: [iago.userId] });
    expect(await eventsSince()).toMatchObject([{ op: 'add', group: { id: groupId, members: [iago.userId] } }]);
    expect(await eventsSince(KNOWS_DEACTIVATED)).toMatchObject([{ op: 'update', data: { deactivated: false } }]);
  });

  test('can be renamed while it comes back', async () => {
    await update(iago, { isDeactivated: false, name: 'Foes' });
    expect(await eventsSince()).toMatchObject([
      { op: 'add', group: { name: 'Foes' } },
      { op: 'update', data: { name: 'Foes' } },
    ]);
  });
});

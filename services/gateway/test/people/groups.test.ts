import {
  BadRequestError,
  CannotDeactivateGroupInUseError,
  ExpectationMismatchError,
  SystemGroupRequiredError,
} from '@parley/shared/errors';
import { ROLES } from '@parley/shared/values';
import { publicGroup } from '@parley/shared/wire';
import {
  changeGroupMembers,
  changeSubgroups,
  createGroup,
  deactivateGroup,
  getGroupMembers,
  getSubgroups,
  isGroupMember,
  listGroups,
  updateGroup,
} from '../../src/endpoints';
import { eg } from '../eg';
import { formBody, startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  const nothing = async () => ({});
  Object.assign(gateway.realm.answers, {
    createGroup: async () => ({ groupId: 50 }),
    updateGroup: nothing,
    deactivateGroup: nothing,
    changeGroupMembers: nothing,
    changeSubgroups: nothing,
  });
});
afterEach(() => gateway.stop());

const SUCCESS = { result: 'success', msg: '' };
const send = (method: string, path: string, form: Record<string, string> = {}) =>
  gateway.request({ method, path: `/api/v1${path}`, ...formBody(form) });
const asked = (method: string) => gateway.realm.last(method);

test('GET /user_groups shows groups with their settings', async () => {
  const leave = { directMemberIds: [11], directSubgroupIds: [] };
  const group = eg.group({ settings: { ...eg.group().settings, can_leave_group: leave } });
  gateway.realm.answers.getGroupList = async () => ({
    version: '1',
    isKnown: false,
    groups: Buffer.from(JSON.stringify([publicGroup(group)])),
  });
  const answer = await gateway.call(listGroups, { include_deactivated_groups: true });
  expect(asked('getGroupList')).toEqual({ includesDeactivated: true, knownVersion: '' });
  expect(answer.json.user_groups).toEqual([
    {
      id: 40,
      name: 'role:nobody',
      description: 'Nobody',
      date_created: 1_700_000_000,
      creator_id: null,
      members: [],
      direct_subgroup_ids: [],
      is_system_group: true,
      deactivated: false,
      can_add_members_group: 40,
      can_join_group: 40,
      can_leave_group: { direct_members: [11], direct_subgroups: [] },
      can_manage_group: 40,
      can_mention_group: 40,
      can_remove_members_group: 40,
    },
  ]);
  await send('GET', '/user_groups');
  expect(asked('getGroupList')).toEqual({ includesDeactivated: false, knownVersion: '' });
});

test.each([{ role: ROLES.guest }, { isBot: true }])('GET /user_groups is refused by realm for %j', async (own) => {
  gateway.realm.answers.getOwnUser = async () => eg.user(own);
  gateway.realm.answers.getGroupList = async () => ({ version: '1', isKnown: false, groups: Buffer.from('[]') });
  gateway.realm.answers.listGroups = async () => {
    throw new BadRequestError('Not for you');
  };
  expect(await send('GET', '/user_groups')).toMatchObject({ status: 400, json: { msg: 'Not for you' } });
});

describe('POST /user_groups/create', () => {
  test('passes all parameters on, settings in either form', async () => {
    const answer = await gateway.call(createGroup, {
      name: 'friends',
      description: 'Old ones',
      members: [11, 12],
      subgroups: [41],
      can_join_group: 42,
      can_manage_group: { direct_members: [11], direct_subgroups: [42] },
    });
    expect(answer.json).toEqual({ ...SUCCESS, group_id: 50 });
    expect(asked('createGroup')).toEqual({
      name: 'friends',
      description: 'Old ones',
      memberIds: [11, 12],
      subgroupIds: [41],
      settings: {
        can_join_group: { groupId: 42, directMemberIds: [], directSubgroupIds: [] },
        can_manage_group: { directMemberIds: [11], directSubgroupIds: [42] },
      },
    });
  });

  const wanted = { name: 'friends', description: '', members: '[]' };

  test('requires a name, a description and members', async () => {
    for (const name of ['name', 'description', 'members']) {
      const form = Object.fromEntries(Object.entries(wanted).filter(([key]) => key !== name));
      const { json } = await send('POST', '/user_groups/create', form);
      expect(json).toMatchObject({
        code: 'REQUEST_VARIABLE_MISSING',
        msg: `Missing '${name}' argument`,
        var_name: name,
      });
    }
  });

  test.each([
    [{ members: '["a"]' }, 'members[0] is not an integer'],
    [{ subgroups: '{}' }, 'subgroups is not a list'],
    [
      { can_join_group: '{"direct_members":[1]}' },
      'can_join_group["direct_subgroups"] field is missing: Field required',
    ],
  ])('refuses %j', async (form, msg) => {
    const answer = await send('POST', '/user_groups/create', { ...wanted, ...form });
    expect(answer).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST', msg } });
  });

  test('reports that a system group is required', async () => {
    gateway.realm.answers.createGroup = async () => {
      throw new SystemGroupRequiredError('can_join_group');
    };
    expect(await send('POST', '/user_groups/create', wanted)).toMatchObject({
      status: 400,
      json: { code: 'SYSTEM_GROUP_REQUIRED', setting_name: 'can_join_group' },
    });
  });
});

describe('PATCH /user_groups/{user_group_id}', () => {
  test('passes only the given parameters on', async () => {
    const change = { new: { direct_members: [11], direct_subgroups: [] }, old: 42 };
    const answer = await gateway.call(updateGroup, {
      user_group_id: 50,
      name: '',
      can_leave_group: change,
      can_join_group: { new: 41 },
      deactivated: false,
    });
    expect(answer.json).toEqual(SUCCESS);
    expect(asked('updateGroup')).toEqual({
      groupId: 50,
      name: '',
      isDeactivated: false,
      settings: {
        can_leave_group: { new: { directMemberIds: [11], directSubgroupIds: [] }, old: eg.groupSetting(42) },
        can_join_group: { new: eg.groupSetting(41), old: null },
      },
    });
    await send('PATCH', '/user_groups/50');
    expect(asked('updateGroup')).toEqual({ groupId: 50, settings: {} });
  });

  test('takes settings as updates only', async () => {
    const { json } = await send('PATCH', '/user_groups/50', { can_join_group: '41' });
    expect(json).toMatchObject({ code: 'BAD_REQUEST', msg: 'can_join_group is not a dict' });
  });

  test('reports an old value that is not the current one', async () => {
    gateway.realm.answers.updateGroup = async () => {
      throw new ExpectationMismatchError();
    };
    expect(await send('PATCH', '/user_groups/50', { name: 'x' })).toMatchObject({
      status: 400,
      json: { code: 'EXPECTATION_MISMATCH', msg: "'old' value does not match the expected value." },
    });
  });
});

describe('POST /user_groups/{user_group_id}/deactivate', () => {
  test('names the group', async () => {
    expect((await gateway.call(deactivateGroup, { user_group_id: 50 })).json).toEqual(SUCCESS);
    expect(asked('deactivateGroup')).toEqual({ groupId: 50 });
  });

  test('lists the uses of a group in use', async () => {
    const objections = [{ type: 'channel', channel_id: 7, settings: ['can_subscribe_group'] }];
    gateway.realm.answers.deactivateGroup = async () => {
      throw new CannotDeactivateGroupInUseError(objections);
    };
    expect(await send('POST', '/user_groups/50/deactivate')).toMatchObject({
      status: 400,
      json: { code: 'CANNOT_DEACTIVATE_GROUP_IN_USE', msg: 'Cannot deactivate user group in use.', objections },
    });
  });
});

describe('the members of a group', () => {
  test('are read, all or the direct ones', async () => {
    gateway.realm.answers.getGroupMembers = async () => ({ memberIds: [11, 12] });
    const answer = await gateway.call(getGroupMembers, { user_group_id: 50 });
    expect(answer.json).toEqual({ ...SUCCESS, members: [11, 12] });
    expect(asked('getGroupMembers')).toEqual({ groupId: 50, isDirectOnly: false });
    await gateway.call(getGroupMembers, { user_group_id: 50, direct_member_only: true });
    expect(asked('getGroupMembers')).toEqual({ groupId: 50, isDirectOnly: true });
  });

  test('are looked up one by one', async () => {
    gateway.realm.answers.isGroupMember = async () => ({ isMember: true });
    const answer = await gateway.call(isGroupMember, { user_group_id: 50, user_id: 11, direct_member_only: true });
    expect(answer.json).toEqual({ ...SUCCESS, is_user_group_member: true });
    expect(asked('isGroupMember')).toEqual({ groupId: 50, userId: 11, isDirectOnly: true });
  });

  test('are added and removed', async () => {
    const answer = await gateway.call(changeGroupMembers, {
      user_group_id: 50,
      add: [11],
      delete: [12],
      add_subgroups: [41],
      delete_subgroups: [42],
    });
    expect(answer.json).toEqual(SUCCESS);
    expect(asked('changeGroupMembers')).toEqual({
      groupId: 50,
      addedIds: [11],
      removedIds: [12],
      addedSubgroupIds: [41],
      removedSubgroupIds: [42],
    });
  });
});

describe('the groups inside a group', () => {
  test('are read, all or the direct ones', async () => {
    gateway.realm.answers.getSubgroups = async () => ({ subgroupIds: [41] });
    const answer = await gateway.call(getSubgroups, { user_group_id: 50, direct_subgroup_only: true });
    expect(answer.json).toEqual({ ...SUCCESS, subgroups: [41] });
    expect(asked('getSubgroups')).toEqual({ groupId: 50, isDirectOnly: true });
  });

  test('are added and removed', async () => {
    expect((await gateway.call(changeSubgroups, { user_group_id: 50, add: [41] })).json).toEqual(SUCCESS);
    expect(asked('changeSubgroups')).toEqual({ groupId: 50, addedIds: [41], removedIds: [] });
  });
});

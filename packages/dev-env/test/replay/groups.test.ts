import {
  addAlertWords,
  addNavigationView,
  changeGroupMembers,
  changeSubgroups,
  createGroup,
  deactivateGroup,
  muteUser,
  registerClientDevice,
  removeAlertWords,
  removeClientDevice,
  removeNavigationView,
  unmuteUser,
  updateGroup,
  updateNavigationView,
} from '@parley/gateway/endpoints';
import { TestNetwork } from '../../src';
import { expectFreshEqualsReplayed, type Followers, followEveryone } from './harness';

let network: TestNetwork;
let followers: Followers;

beforeAll(async () => {
  network = await TestNetwork.create();
  followers = await followEveryone(network);
});
afterAll(() => network.stop());

function expectReplayed(produced: readonly string[], action: () => Promise<unknown>) {
  return expectFreshEqualsReplayed(network, followers, produced, action);
}

describe('a user group', () => {
  let user_group_id: number;
  let subgroupId: number;

  test('is made', async () => {
    const { iris, dan } = network;
    await expectReplayed(['user_group/add'], async () => {
      const group = await dan.call(createGroup, { name: 'crew', description: 'All hands', members: [dan.userId] });
      const subgroup = await iris.call(createGroup, { name: 'cooks', description: '', members: [] });
      [user_group_id, subgroupId] = [group.group_id, subgroup.group_id];
    });
  });

  test('is renamed, gets another description and other members', async () => {
    const { dan, eve } = network;
    const can_join_group = { new: { direct_members: [eve.userId, dan.userId], direct_subgroups: [subgroupId] } };
    const produced = ['name', 'description', 'can_join_group'].map((name) => `user_group/update:${name}`);
    await expectReplayed(produced, () =>
      dan.call(updateGroup, { user_group_id, name: 'hands', description: 'Everybody', can_join_group }),
    );
  });

  test('has more members, and fewer', async () => {
    const { dan, eve, faye } = network;
    await expectReplayed(['user_group/add_members'], () =>
      dan.call(changeGroupMembers, { user_group_id, add: [eve.userId, faye.userId] }),
    );
    await expectReplayed(['user_group/remove_members'], () =>
      dan.call(changeGroupMembers, { user_group_id, delete: [eve.userId] }),
    );
  });

  test('has groups in it, and has not', async () => {
    const { iris } = network;
    await expectReplayed(['user_group/add_subgroups'], () =>
      iris.call(changeSubgroups, { user_group_id, add: [subgroupId] }),
    );
    await expectReplayed(['user_group/remove_subgroups'], () =>
      iris.call(changeSubgroups, { user_group_id, delete: [subgroupId] }),
    );
  });

  test('is out of use, is changed there, and in use again', async () => {
    const { dan, eve } = network;
    await expectReplayed(['user_group/update:deactivated', 'user_group/remove'], () =>
      dan.call(deactivateGroup, { user_group_id }),
    );
    await expectReplayed(['user_group/update:name'], () => dan.call(updateGroup, { user_group_id, name: 'old hands' }));
    await expectReplayed(['user_group/add_members'], () =>
      dan.call(changeGroupMembers, { user_group_id, add: [eve.userId] }),
    );
    await expectReplayed(['user_group/update:deactivated', 'user_group/add'], () =>
      dan.call(updateGroup, { user_group_id, deactivated: false }),
    );
  });
});

test('alert words are added and removed', async () => {
  const alert_words = ['soup', 'Deadline'];
  await expectReplayed(['alert_words'], () => network.eve.call(addAlertWords, { alert_words }));
  await expectReplayed(['alert_words'], () => network.eve.call(removeAlertWords, { alert_words: ['soup'] }));
});

test('users are muted and no longer', async () => {
  const { eve, dan } = network;
  await expectReplayed(['muted_users'], () => eve.call(muteUser, { muted_user_id: dan.userId }));
  await expectReplayed(['muted_users'], () => eve.call(unmuteUser, { muted_user_id: dan.userId }));
});

test('navigation views are added, changed and removed', async () => {
  const fragment = 'narrow/topic/lunch';
  await expectReplayed(['navigation_view/add'], () =>
    network.eve.call(addNavigationView, { fragment, is_pinned: true, name: 'Stars' }),
  );
  await expectReplayed(['navigation_view/update:name', 'navigation_view/update:is_pinned'], () =>
    network.eve.call(updateNavigationView, { fragment, is_pinned: false, name: 'Suns' }),
  );
  await expectReplayed(['navigation_view/remove'], () => network.eve.call(removeNavigationView, { fragment }));
});

test('programs on phones are registered and signed out', async () => {
  const { eve } = network;
  let device_id = 0;
  await expectReplayed(['device/add'], async () => {
    ({ device_id } = await eve.call(registerClientDevice, {}));
  });
  await expectReplayed(['device/remove'], () => eve.call(removeClientDevice, { device_id }));
});

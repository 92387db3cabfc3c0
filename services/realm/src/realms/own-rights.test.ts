import { REALM_PERMISSION_SETTINGS, type RealmPermissionName } from '@parley/shared/access';
import type { GroupSetting } from '@parley/shared/proto';
import { anActor } from '../../test/an-actor';
import type { RealmGroupSettings } from '../group-settings/complete-settings';
import { ownRights } from './own-rights';

const GROUP = 5;
const HELD: GroupSetting = { groupId: GROUP, directMemberIds: [], directSubgroupIds: [] };

const permissions = () =>
  Object.fromEntries(
    (Object.keys(REALM_PERMISSION_SETTINGS) as RealmPermissionName[]).map((name) => [name, HELD]),
  ) as RealmGroupSettings;

const inGroup = { groupIds: [GROUP] };

test.each([
  ['a member in the group', inGroup, true],
  ['a bot in the group', { ...inGroup, isBot: true }, true],
  ['an owner outside the group', { role: 100 }, false],
  ['a guest in the group', { ...inGroup, role: 600 }, false],
  ['somebody deactivated', { ...inGroup, isActive: false }, false],
])('%s has every right: %s', (_who, actor, has) => {
  expect(ownRights(anActor(actor), permissions(), true)).toEqual({
    mayCreatePublicChannels: has,
    mayCreatePrivateChannels: has,
    mayCreateWebPublicChannels: has,
    maySubscribeOthers: has,
    mayInviteOthers: has,
  });
});

test('each right is that of its own permission', () => {
  const nobody = { groupId: 6, directMemberIds: [], directSubgroupIds: [] };
  const invite = { ...permissions(), can_invite_users_group: nobody };
  expect(ownRights(anActor(inGroup), invite, true)).toMatchObject({ mayInviteOthers: false, maySubscribeOthers: true });
  const publicOnes = { ...permissions(), can_create_public_channel_group: nobody };
  expect(ownRights(anActor(inGroup), publicOnes, true)).toMatchObject({
    mayCreatePublicChannels: false,
    mayCreatePrivateChannels: true,
  });
});

test('channels cannot be opened to visitors in organizations without them', () => {
  expect(ownRights(anActor(inGroup), permissions(), false)).toMatchObject({ mayCreateWebPublicChannels: false });
});

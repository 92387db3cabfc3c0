import { CHANNEL_PERMISSION_SETTINGS, REALM_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { GroupSetting } from '@parley/shared/proto';
import {
  channelIds,
  join,
  newGroup,
  newOrganization,
  newUser,
  openContext,
  type Person,
  type TestContext,
} from '../../test/examples';
import { loadChannels } from '../channel-access/channels.sql';
import { listGroups } from '../groups/list-groups';
import { changeGroupSettings, setGroupSetting } from './change-group-settings';
import { loadRealmGroupSettings, type SystemGroupIds } from './complete-settings';
import { namedGroup, type SettingPlace } from './group-setting';
import { findSystemGroupIds } from './group-settings.sql';
import { readGroupSettings } from './read-group-settings';

let ctx: TestContext;
let olivia: Person;
let roles: SystemGroupIds;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  roles = await findSystemGroupIds(ctx.db, olivia.realmId);
});
afterAll(() => ctx.close());

const unnamed = (directMemberIds: number[], directSubgroupIds: number[] = []): GroupSetting => ({
  directMemberIds,
  directSubgroupIds,
});
const set = (place: SettingPlace, value: GroupSetting) =>
  ctx.db.transaction((tx) => setGroupSetting(tx, olivia.realmId, place, value, ctx.clock.now()));
const ofRealm = () => loadRealmGroupSettings(ctx.db, olivia.realmId);
const ofChannel = async (channelId: number) =>
  (await loadChannels(ctx.db, olivia.realmId, [channelId]))[0]?.groupSettings;

async function anonymousGroups(): Promise<number> {
  const rows = await ctx.db.query('select id from user_group where realm_id = $1 and name is null', [olivia.realmId]);
  return rows.length;
}

test('a new organization has the defaults', async () => {
  expect(await ofRealm()).toMatchObject({
    can_create_groups: namedGroup(roles['role:members']),
    can_manage_all_groups: namedGroup(roles['role:owners']),
    can_resolve_topics_group: namedGroup(roles['role:everyone']),
  });
  expect(Object.keys(await ofRealm())).toEqual(Object.keys(REALM_PERMISSION_SETTINGS));
});

test('a channel is administered by its creator while active, and a channel made by the system by no one', async () => {
  const iago = await newUser(ctx, olivia);
  await join(ctx, iago, ['news']);
  const { news, general } = (await channelIds(ctx, olivia)) as { news: number; general: number };
  expect(await ofChannel(news)).toMatchObject({
    can_administer_channel_group: unnamed([iago.userId]),
    can_remove_subscribers_group: namedGroup(roles['role:administrators']),
    can_send_message_group: namedGroup(roles['role:everyone']),
  });
  const nobody = namedGroup(roles['role:nobody']);
  expect((await ofChannel(general))?.can_administer_channel_group).toEqual(nobody);
  await ctx.db.query('update user_account set is_active = false where id = $1', [iago.userId]);
  expect((await ofChannel(news))?.can_administer_channel_group).toEqual(nobody);
});

test('channels of another organization are left out', async () => {
  const { general } = (await channelIds(ctx, await newOrganization(ctx))) as { general: number };
  expect(await ofChannel(general)).toBeUndefined();
});

describe.each(['realm', 'channel', 'channel that reads who may post', 'group'] as const)(
  'a setting of a %s',
  (what) => {
    let place: SettingPlace;
    let read: () => Promise<GroupSetting | undefined>;

    beforeEach(async () => {
      const { general: channelId } = (await channelIds(ctx, olivia)) as { general: number };
      const groupId = await newGroup(ctx, olivia, { name: 'friends' });
      const inGroup = async () => {
        const { groups } = await listGroups(ctx, olivia, {
          includesDeactivated: false,
        });
        return groups.find(({ id }) => id === groupId)?.settings['can_mention_group'];
      };
      const cases: Record<typeof what, [SettingPlace, () => Promise<GroupSetting | undefined>]> = {
        realm: [{ of: 'realm', name: 'can_create_groups' }, async () => (await ofRealm()).can_create_groups],
        channel: [
          { of: 'channel', channelId, name: 'can_subscribe_group' },
          async () => (await ofChannel(channelId))?.can_subscribe_group,
        ],
        'channel that reads who may post': [
          { of: 'channel', channelId, name: 'can_send_message_group' },
          async () => (await ofChannel(channelId))?.can_send_message_group,
        ],
        group: [{ of: 'group', groupId, name: 'can_mention_group' }, inGroup],
      };
      [place, read] = cases[what];
    });

    test('is stored as a named group, or as a separate anonymous one', async () => {
      const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
      const friends = await newGroup(ctx, olivia, { name: 'more friends' });
      await set(place, namedGroup(friends));
      expect(await read()).toEqual(namedGroup(friends));
      await set(place, unnamed([iago.userId, zoe.userId], [friends]));
      expect(await read()).toEqual(unnamed([iago.userId, zoe.userId], [friends]));
      await set(place, unnamed([zoe.userId], [roles['role:moderators']]));
      expect(await read()).toEqual(unnamed([zoe.userId], [roles['role:moderators']]));
      expect(await anonymousGroups()).toBe(1);
      await set(place, namedGroup(roles['role:nobody']));
      expect(await read()).toEqual(namedGroup(roles['role:nobody']));
      expect(await anonymousGroups()).toBe(0);
    });

    test('lists only the active members of an anonymous group', async () => {
      const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
      await set(place, unnamed([iago.userId, zoe.userId]));
      await ctx.db.query('update user_account set is_active = false where id = $1', [iago.userId]);
      expect(await read()).toEqual(unnamed([zoe.userId]));
    });
  },
);

describe('an update', () => {
  const change = async (wanted: GroupSetting | null, old: GroupSetting | null, name = 'can_subscribe_group') => {
    const { general } = (await channelIds(ctx, olivia)) as { general: number };
    const present = await ofChannel(general);
    if (!present) throw new Error('no such channel');
    const changes = { [name]: { new: wanted, old } };
    return changeGroupSettings(ctx.db, olivia.realmId, CHANNEL_PERMISSION_SETTINGS, present, changes);
  };

  test('contains the differences only', async () => {
    const moderators = namedGroup(roles['role:moderators']);
    expect(await change(moderators, null)).toEqual({ can_subscribe_group: moderators });
    expect(await change(unnamed([], [roles['role:moderators']]), unnamed([]))).toEqual({
      can_subscribe_group: moderators,
    });
    expect(await change(unnamed([]), namedGroup(roles['role:nobody']))).toEqual({});
  });

  test('checks the old value before all other errors, even if nothing would change', async () => {
    const mismatch = { code: 'EXPECTATION_MISMATCH', message: "'old' value does not match the expected value." };
    const moderators = namedGroup(roles['role:moderators']);
    await expect(change(moderators, moderators)).rejects.toMatchObject(mismatch);
    await expect(change(namedGroup(999_999_999), moderators)).rejects.toMatchObject(mismatch);
    await expect(change(namedGroup(roles['role:nobody']), unnamed([olivia.userId]))).rejects.toMatchObject(mismatch);
  });

  test('is checked like a first value', async () => {
    const stranger = await newOrganization(ctx);
    await expect(change(namedGroup(roles['role:everyone']), null)).rejects.toThrow(
      "'can_subscribe_group' setting cannot be set to 'role:everyone' group.",
    );
    await expect(change(unnamed([stranger.userId]), null)).rejects.toThrow(`Invalid user ID: ${stranger.userId}`);
    await expect(change(unnamed([2 ** 63]), null)).rejects.toThrow('Invalid user ID');
    const theirs = await findSystemGroupIds(ctx.db, stranger.realmId);
    await expect(change(namedGroup(theirs['role:members']), null)).rejects.toThrow('Invalid user group');
  });
});

test('an anonymous group cannot be named by other settings', async () => {
  await set({ of: 'realm', name: 'can_create_groups' }, unnamed([olivia.userId]));
  const [group] = await ctx.db.query<{ id: number }>('select id from user_group where realm_id = $1 and name is null', [
    olivia.realmId,
  ]);
  const wanted = { can_manage_all_groups: namedGroup(group?.id as number) };
  await expect(readGroupSettings(ctx.db, olivia.realmId, REALM_PERMISSION_SETTINGS, wanted)).rejects.toThrow(
    'Invalid user group',
  );
});

test('values have a bound', async () => {
  const wanted = { can_create_groups: unnamed(Array.from({ length: 20_001 }, (_, id) => id + 1)) };
  await expect(readGroupSettings(ctx.db, olivia.realmId, REALM_PERMISSION_SETTINGS, wanted)).rejects.toThrow(
    'Too many ids (limit: 20000)',
  );
});

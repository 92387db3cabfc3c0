import { CHANNEL_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { NoticeAnnounced } from '@parley/shared/events';
import type { GroupSetting, NewChannelSettings } from '@parley/shared/proto';
import { changeMeanwhile } from '../../test/change-meanwhile';
import { newChannel, reached, setRealm } from '../../test/channels';
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
import { payloadsOf, publicEvents } from '../../test/public-events';
import { getChannel } from '../channel-access/get-channel';
import { createChannelFolder } from '../channel-folders/channel-folders';
import { setGroupSetting } from '../group-settings/change-group-settings';
import type { SystemGroupIds } from '../group-settings/complete-settings';
import { namedGroup } from '../group-settings/group-setting';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { changeGroupMembers } from '../groups/change-membership';
import { updateUser } from '../users/update-user';
import { getSubscribers } from './subscribe';

let ctx: TestContext;
let olivia: Person;
let iago: Person;
let guest: Person;
let roles: SystemGroupIds;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  iago = await newUser(ctx, olivia, { fullName: 'Iago' });
  guest = await newUser(ctx, olivia, { role: 600 });
  roles = await findSystemGroupIds(ctx.db, olivia.realmId);
});
afterAll(() => ctx.close());

const shown = (channelId: number) => getChannel(ctx, olivia, { channelId });
const appeared = async () =>
  (await publicEvents(ctx, olivia, 'stream')).filter(({ event }) => event['op'] === 'create');
const notices = async () =>
  (await payloadsOf<NoticeAnnounced>(ctx, olivia, 'notice.announced')).filter(({ to }) => 'channelId' in to);
const unnamed = (...directMemberIds: number[]): GroupSetting => ({ directMemberIds, directSubgroupIds: [] });

test('a channel has the requested settings, and its creator administers it without a subscription', async () => {
  const folder = await createChannelFolder(ctx, olivia, { name: 'Teams', description: '' });
  const channelId = await newChannel(ctx, iago, ' Plans ', {
    description: 'Where we\nplan',
    settings: {
      isPrivate: true,
      isHistoryPublic: true,
      folderId: folder.id,
      topicsPolicy: 'disable_empty_topic',
      groupSettings: {
        can_send_message_group: namedGroup(roles['role:administrators']),
        can_subscribe_group: unnamed(iago.userId),
        can_add_subscribers_group: unnamed(),
      },
    },
  });
  const channel = await shown(channelId);
  expect(channel).toMatchObject({
    name: 'Plans',
    description: 'Where we plan',
    creatorId: iago.userId,
    isPrivate: true,
    isHistoryPublic: true,
    isWebPublic: false,
    folderId: folder.id,
    topicsPolicy: 'disable_empty_topic',
    subscriberCount: 0,
    postPolicy: 2,
  });
  expect(channel.groupSettings).toMatchObject({
    can_administer_channel_group: unnamed(iago.userId),
    can_send_message_group: namedGroup(roles['role:administrators']),
    can_subscribe_group: unnamed(iago.userId),
    can_add_subscribers_group: namedGroup(roles['role:nobody']),
    can_remove_subscribers_group: namedGroup(roles['role:administrators']),
  });
  expect(Object.keys(channel.groupSettings).sort()).toEqual(Object.keys(CHANNEL_PERMISSION_SETTINGS).sort());
});

test('the given users are subscribed, without a direct message', async () => {
  const channelId = await newChannel(ctx, iago, 'plans', { subscriberIds: [olivia.userId, guest.userId] });
  const { subscribers } = await getSubscribers(ctx, { realmId: olivia.realmId, channelId });
  expect(subscribers.map(({ userId }) => userId)).toEqual([olivia.userId, guest.userId]);
  expect(await shown(channelId)).toMatchObject({ subscriberCount: 2 });
});

describe('a new channel is announced to', () => {
  test('everybody but guests, and to subscribed guests, when it is public', async () => {
    const other = await newUser(ctx, olivia, { role: 600 });
    await newChannel(ctx, iago, 'plans', { subscriberIds: [guest.userId] });
    const people = { olivia, iago, guest, other };
    const recipients = (await appeared()).map(({ audience }) => reached(audience, people));
    expect(recipients).toEqual([['olivia', 'iago'], ['guest']]);
    expect((await appeared())[0]?.event).toMatchObject({
      type: 'stream',
      op: 'create',
      streams: [{ name: 'plans', invite_only: false, stream_post_policy: 1, first_message_id: null }],
    });
  });

  test('administrators, users named by its settings, and its subscribers, when it is private', async () => {
    const [administrator, moderator] = [
      await newUser(ctx, olivia, { role: 200 }),
      await newUser(ctx, olivia, { role: 300 }),
    ];
    const [helper, subscriber] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
    const people = { olivia, administrator, moderator, iago, helper, subscriber, guest };
    await newChannel(ctx, iago, 'vault', {
      subscriberIds: [subscriber.userId],
      settings: {
        isPrivate: true,
        groupSettings: { can_add_subscribers_group: unnamed(helper.userId, guest.userId) },
      },
    });
    const recipients = (await appeared()).map(({ audience }) => reached(audience, people));
    expect(recipients).toEqual([['olivia', 'administrator', 'iago', 'helper'], ['subscriber']]);
  });
});

describe('creation is refused', () => {
  const refuses = (who: Person, settings: Partial<NewChannelSettings>, message: string) =>
    expect(newChannel(ctx, who, 'plans', { settings })).rejects.toThrow(message);

  test('to guests', async () => {
    await expect(newChannel(ctx, guest, '')).rejects.toThrow("Channel name can't be empty.");
    await expect(newChannel(ctx, guest, 'plans')).rejects.toThrow('Not allowed for guest users');
  });

  test('a name that is taken, in any casing', async () => {
    await expect(newChannel(ctx, iago, 'GENERAL')).rejects.toMatchObject({
      code: 'CHANNEL_ALREADY_EXISTS',
      httpStatus: 409,
      message: "Channel 'GENERAL' already exists",
    });
    const together = await Promise.allSettled([newChannel(ctx, iago, 'Same'), newChannel(ctx, olivia, 'same')]);
    expect(together.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(together.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'CHANNEL_ALREADY_EXISTS' },
    });
  });

  test('unknown subscribers', async () => {
    await expect(newChannel(ctx, iago, 'plans', { subscriberIds: [999_999] })).rejects.toThrow('No such user');
    const stranger = await newOrganization(ctx);
    await expect(newChannel(ctx, iago, 'plans', { subscriberIds: [stranger.userId] })).rejects.toThrow('No such user');
    await ctx.db.query('update user_account set is_active = false where id = $1', [guest.userId]);
    await expect(newChannel(ctx, iago, 'plans', { subscriberIds: [guest.userId] })).rejects.toThrow(
      'User is deactivated',
    );
  });

  test('subscribing others without the right to', async () => {
    await ctx.db.transaction((tx) =>
      setGroupSetting(
        tx,
        olivia.realmId,
        { of: 'realm', name: 'can_add_subscribers_group' },
        namedGroup(roles['role:administrators']),
        0,
      ),
    );
    const groupSettings = { can_administer_channel_group: namedGroup(roles['role:nobody']) };
    await expect(
      newChannel(ctx, iago, 'plans', { subscriberIds: [olivia.userId], settings: { groupSettings } }),
    ).rejects.toThrow('Insufficient permission');
    await newChannel(ctx, iago, 'alone', { subscriberIds: [iago.userId], settings: { groupSettings } });
    await newChannel(ctx, iago, 'mine', { subscriberIds: [olivia.userId] });
    expect(Object.keys(await channelIds(ctx, olivia))).toEqual(expect.arrayContaining(['alone', 'mine']));
    expect(Object.keys(await channelIds(ctx, olivia))).not.toContain('plans');
  });

  test('impossible settings', async () => {
    await refuses(iago, { isDefault: true }, 'Insufficient permission');
    await refuses(olivia, { isWebPublic: true }, 'Web-public channels are not enabled.');
    await refuses(iago, { folderId: 999 }, 'Invalid channel folder ID');
    await refuses(iago, { groupSettings: { can_subscribe_group: namedGroup(999_999) } }, 'Invalid user group');
    await refuses(
      iago,
      { groupSettings: { can_subscribe_group: namedGroup(roles['role:everyone']) } },
      "'can_subscribe_group' setting cannot be set to 'role:everyone' group.",
    );
    await refuses(
      iago,
      { groupSettings: { can_delete_any_message_group: namedGroup(roles['role:members']) } },
      'Insufficient permission',
    );
    await refuses(
      iago,
      { isPrivate: true, groupSettings: { can_create_topic_group: namedGroup(roles['role:members']) } },
      'Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group',
    );
    expect(await appeared()).toEqual([]);
  });
});

test('a new default channel is announced as one', async () => {
  const channelId = await newChannel(ctx, olivia, 'welcome', { settings: { isDefault: true } });
  const events = await publicEvents(ctx, olivia, 'default_streams');
  expect(events[0]?.event['default_streams']).toContain(channelId);
});

describe('the notification bot', () => {
  test('describes its creation in the channel, where the organization wants that', async () => {
    await newChannel(ctx, iago, 'quiet');
    await setRealm(ctx, olivia, { send_channel_events_messages: true });
    const channelId = await newChannel(ctx, iago, 'plans', { description: 'For **plans**' });
    expect(await notices()).toEqual([
      {
        senderId: expect.any(Number),
        to: { channelId, topic: 'channel events' },
        content:
          `**Public** channel created by @_**Iago|${iago.userId}**. **Description:**\n` +
          '````quote\nFor **plans**\n````',
        readByIds: [iago.userId],
      },
    ]);
  });

  test('announces channels that are not private, if requested', async () => {
    const { general } = await channelIds(ctx, olivia);
    await setRealm(ctx, olivia, { new_stream_announcements_stream_id: general as number });
    await newChannel(ctx, iago, 'vault', { settings: { isPrivate: true, isAnnounced: true } });
    await newChannel(ctx, iago, 'plans', { settings: { isAnnounced: true } });
    await newChannel(ctx, iago, 'silent');
    expect(await notices()).toMatchObject([
      {
        to: { channelId: general, topic: 'new channels' },
        content: `@_**Iago|${iago.userId}** created a new channel #**plans**.`,
      },
    ]);
  });
});

describe('a change of who may see channels', () => {
  const giveRole = ({ userId }: Person, role: number) =>
    updateUser(ctx, olivia, { user: { id: userId }, role, profileValues: [] });

  /** How often the person is told of the channel. */
  async function told(op: string, { userId }: Person, name: string): Promise<number> {
    const id = (await channelIds(ctx, olivia))[name];
    const events = await publicEvents(ctx, olivia, 'stream');
    return events.filter(({ event, audience }) => {
      const streams = (event['streams'] ?? []) as { stream_id: number }[];
      const isReached = reached(audience, { person: { ...olivia, userId } }).length > 0;
      return event['op'] === op && isReached && streams.some((stream) => stream.stream_id === id);
    }).length;
  }

  test.each([
    ['by its own request', (slow: TestContext) => newChannel(slow, iago, 'fresh')],
    ['by subscribing', (slow: TestContext) => join(slow, iago, ['fresh'])],
  ])('while a channel is created %s shows or hides it once', async (_how, create) => {
    const person = await newUser(ctx, olivia);
    const change = async () => {
      await giveRole(guest, 400);
      await giveRole(person, 600);
    };
    await changeMeanwhile(ctx, change, create);
    expect(await told('create', guest, 'fresh')).toBe(1);
    expect([await told('create', person, 'fresh'), await told('delete', person, 'fresh')]).toEqual([1, 1]);
  });

  test('while another channel is created, both become default channels', async () => {
    const settings = { isDefault: true };
    await changeMeanwhile(
      ctx,
      () => join(ctx, olivia, ['second'], { newChannel: settings }),
      (slow) => newChannel(slow, olivia, 'first', { settings }),
    );
    const { first, second } = await channelIds(ctx, olivia);
    const lists = (await publicEvents(ctx, olivia, 'default_streams')).map(({ event }) => event['default_streams']);
    expect(lists.at(-1)).toEqual(expect.arrayContaining([first, second]));
  });

  test('while the user is subscribed shows the channel once, like a new membership in a group', async () => {
    const person = await newUser(ctx, olivia);
    const principalIds = [person.userId];
    const groupId = await newGroup(ctx, olivia, { name: 'readers' });
    const groupSettings = { can_administer_channel_group: namedGroup(groupId) };
    for (const name of ['secret', 'other']) {
      await newChannel(ctx, olivia, name, {
        subscriberIds: [olivia.userId],
        settings: { isPrivate: true, groupSettings },
      });
    }
    await changeMeanwhile(
      ctx,
      () => giveRole(person, 300),
      (slow) => join(slow, olivia, ['secret'], { principalIds }),
    );
    expect(await told('create', person, 'secret')).toBe(1);
    const members = { groupId, addedIds: principalIds, removedIds: [], addedSubgroupIds: [], removedSubgroupIds: [] };
    await changeMeanwhile(
      ctx,
      () => changeGroupMembers(ctx, olivia, members),
      (slow) => join(slow, olivia, ['other'], { principalIds }),
    );
    expect(await told('create', person, 'other')).toBe(1);
  });
});

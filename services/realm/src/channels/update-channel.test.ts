import type { NoticeAnnounced } from '@parley/shared/events';
import type { GroupSetting, UpdateChannelRequest } from '@parley/shared/proto';
import { change, newChannel, reached, setRealm } from '../../test/channels';
import { join, newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { payloadsOf, publicEvents, type TestEvent } from '../../test/public-events';
import { getChannel } from '../channel-access/get-channel';
import { createChannelFolder } from '../channel-folders/channel-folders';
import { setGroupSetting } from '../group-settings/change-group-settings';
import type { SystemGroupIds } from '../group-settings/complete-settings';
import { namedGroup } from '../group-settings/group-setting';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';

let ctx: TestContext;
let olivia: Person;
let iago: Person;
let zoe: Person;
let guest: Person;
let roles: SystemGroupIds;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  iago = await newUser(ctx, olivia, { fullName: 'Iago' });
  zoe = await newUser(ctx, olivia);
  guest = await newUser(ctx, olivia, { role: 600 });
  roles = await findSystemGroupIds(ctx.db, olivia.realmId);
});
afterAll(() => ctx.close());

const shown = (channelId: number) => getChannel(ctx, olivia, { channelId });
const unnamed = (...directMemberIds: number[]): GroupSetting => ({ directMemberIds, directSubgroupIds: [] });
const people = () => ({ olivia, iago, zoe, guest });
const aVault = () => newChannel(ctx, iago, 'vault', { subscriberIds: [iago.userId], settings: { isPrivate: true } });

/** The public events of an action; `stream` and `subscription` events stay in order. */
async function eventsOf(work: () => Promise<unknown>, capabilities: string[] = ['archived_channels']) {
  const all = async () => [
    ...(await publicEvents(ctx, olivia, 'stream', capabilities)),
    ...(await publicEvents(ctx, olivia, 'subscription', capabilities)),
  ];
  const before = new Set((await all()).map((event) => JSON.stringify(event)));
  await work();
  return (await all()).filter((event) => !before.has(JSON.stringify(event)));
}
const inShort = ({ event, audience }: TestEvent, subscribers: Person[] = []) => [
  [event['op'], event['property']].filter(Boolean).join(' '),
  reached(audience, people(), subscribers),
];

describe('changing a channel', () => {
  test('is allowed for administrators and its own administrators; readers get a permission error, others not found', async () => {
    const vault = await aVault();
    const open = await newChannel(ctx, iago, 'open');
    const rename = (who: Person, channelId: number) => change(ctx, who, channelId, { description: `by ${who.userId}` });
    await rename(iago, open);
    await rename(olivia, vault);
    await expect(rename(zoe, open)).rejects.toMatchObject({
      code: 'CANNOT_ADMINISTER_CHANNEL',
      message: 'You do not have permission to administer this channel.',
    });
    await expect(rename(zoe, vault)).rejects.toThrow('Invalid channel ID');
    await expect(rename(guest, open)).rejects.toThrow('Invalid channel ID');
    await expect(rename(olivia, 999_999)).rejects.toThrow('Invalid channel ID');
    await expect(rename(await newOrganization(ctx), open)).rejects.toThrow('Invalid channel ID');
    await change(ctx, iago, vault, {
      groupSettings: { can_administer_channel_group: { new: unnamed(zoe.userId), old: null } },
    });
    await rename(zoe, vault);
    await expect(rename(iago, vault)).rejects.toMatchObject({ code: 'CANNOT_ADMINISTER_CHANNEL' });
  });

  test('in all requested properties, with an event for each', async () => {
    const channelId = await newChannel(ctx, iago, 'old', { subscriberIds: [guest.userId] });
    const { id: folderId } = await createChannelFolder(ctx, olivia, { name: 'Teams', description: '' });
    const sendGroup = namedGroup(roles['role:moderators']);
    const events = await eventsOf(() =>
      change(ctx, olivia, channelId, {
        newName: ' new ',
        description: 'About',
        messageRetention: '30',
        folderId,
        topicsPolicy: 'disable_empty_topic',
        groupSettings: { can_send_message_group: { new: sendGroup, old: namedGroup(roles['role:everyone']) } },
      }),
    );
    const about = { type: 'stream', op: 'update', stream_id: channelId, name: 'old' };
    expect(events.map(({ event }) => event)).toEqual([
      { ...about, property: 'message_retention_days', value: 30 },
      { ...about, property: 'topics_policy', value: 'disable_empty_topic' },
      { ...about, property: 'folder_id', value: folderId },
      { ...about, property: 'description', value: 'About', rendered_description: '<p>About</p>' },
      { ...about, property: 'name', value: 'new' },
      { ...about, property: 'can_send_message_group', value: roles['role:moderators'] },
      { ...about, property: 'stream_post_policy', value: 4 },
      { ...about, property: 'is_announcement_only', value: false },
    ]);
    expect(reached((events[0] as TestEvent).audience, people())).toEqual(['olivia', 'iago', 'zoe', 'guest']);
    expect(await shown(channelId)).toMatchObject({ name: 'new', messageRetentionDays: 30, folderId, postPolicy: 4 });
    await change(ctx, olivia, channelId, { folderId: 0, messageRetention: 'realm_default' });
    expect(await shown(channelId)).not.toHaveProperty('folderId');
    expect(await shown(channelId)).not.toHaveProperty('messageRetentionDays');
  });

  test('by nothing when nothing is different', async () => {
    const channelId = await newChannel(ctx, iago, 'same', { description: 'About' });
    const events = await eventsOf(() =>
      change(ctx, olivia, channelId, {
        description: 'About',
        isPrivate: false,
        isDefault: false,
        messageRetention: 'realm_default',
        folderId: 0,
        topicsPolicy: 'inherit',
        groupSettings: { can_administer_channel_group: { new: unnamed(iago.userId), old: null } },
      }),
    );
    expect(events).toEqual([]);
  });

  test('not at all when one part of it is not possible', async () => {
    const channelId = await newChannel(ctx, iago, 'same');
    await expect(change(ctx, olivia, channelId, { description: 'new', newName: 'general' })).rejects.toThrow(
      "Channel 'general' already exists",
    );
    expect(await shown(channelId)).toMatchObject({ description: '' });
  });

  test('in the casing of its name', async () => {
    const channelId = await newChannel(ctx, iago, 'same');
    await change(ctx, iago, channelId, { newName: 'Same' });
    expect(await shown(channelId)).toMatchObject({ name: 'Same' });
  });

  test('by the old numbers of posting policies', async () => {
    const channelId = await newChannel(ctx, iago, 'same');
    await change(ctx, iago, channelId, { postPolicy: 2 });
    expect(await shown(channelId)).toMatchObject({
      groupSettings: { can_send_message_group: namedGroup(roles['role:administrators']) },
    });
    await expect(change(ctx, iago, channelId, { postPolicy: 5 })).rejects.toThrow('Invalid stream_post_policy');
  });
});

describe('a change is refused', () => {
  const everyone = () => ({ new: namedGroup(roles['role:everyone']), old: null });
  const nobody = () => ({ new: namedGroup(roles['role:nobody']), old: null });
  test.each<[string, () => Person, () => Partial<UpdateChannelRequest>, string | object]>([
    ['a name it has', () => iago, () => ({ newName: ' open ' }), 'Channel already has that name.'],
    ['a name of nothing', () => iago, () => ({ newName: ' ' }), "Channel name can't be empty."],
    [
      'a name of another',
      () => iago,
      () => ({ newName: 'GENERAL' }),
      { code: 'CHANNEL_ALREADY_EXISTS', httpStatus: 409 },
    ],
    ['a long description', () => iago, () => ({ description: 'x'.repeat(1_025) }), 'description is too long'],
    ['protected history in the open', () => iago, () => ({ isHistoryPublic: false }), 'Invalid parameters'],
    ['private for all the world', () => iago, () => ({ isPrivate: true, isWebPublic: true }), 'Invalid parameters'],
    [
      'private and default',
      () => olivia,
      () => ({ isPrivate: true, isDefault: true }),
      'A default channel cannot be private.',
    ],
    [
      'for visitors, where there are none',
      () => olivia,
      () => ({ isWebPublic: true }),
      'Web-public channels are not enabled.',
    ],
    [
      'default, by no administrator',
      () => iago,
      () => ({ isDefault: true }),
      { code: 'CANNOT_MANAGE_DEFAULT_CHANNEL' },
    ],
    ['retention, by no owner', () => iago, () => ({ messageRetention: 'x' }), { code: 'UNAUTHORIZED_PRINCIPAL' }],
    ['no retention', () => olivia, () => ({ messageRetention: 'x' }), "Bad value for 'message_retention_days': x"],
    ['an unknown policy', () => iago, () => ({ topicsPolicy: 'x' }), 'Invalid topics_policy'],
    [
      'no topics where there are some',
      () => iago,
      () => ({ topicsPolicy: 'empty_topic_only', hasNamedTopics: true }),
      { code: 'CANNOT_SET_TOPICS_POLICY' },
    ],
    ['a folder that is not there', () => iago, () => ({ folderId: 999 }), 'Invalid channel folder ID'],
    [
      'everyone where not everyone can be allowed',
      () => iago,
      () => ({ groupSettings: { can_subscribe_group: everyone() } }),
      "'can_subscribe_group' setting cannot be set to 'role:everyone' group.",
    ],
    [
      'an old value that is not it',
      () => iago,
      () => ({ groupSettings: { can_subscribe_group: { ...nobody(), old: namedGroup(roles['role:members']) } } }),
      { code: 'EXPECTATION_MISMATCH' },
    ],
    [
      'giving away deletion',
      () => iago,
      () => ({ groupSettings: { can_delete_own_message_group: everyone() } }),
      'Insufficient permission',
    ],
  ])('%s', async (_what, who, request, expected) => {
    const channelId = await newChannel(ctx, iago, 'open');
    const refused = expect(change(ctx, who(), channelId, request())).rejects;
    await (typeof expected === 'string' ? refused.toThrow(expected) : refused.toMatchObject(expected));
  });

  test('of privacy or of joining rights in a channel that the caller cannot read', async () => {
    const vault = await aVault();
    const required = 'Channel content access is required.';
    await expect(change(ctx, olivia, vault, { isPrivate: false })).rejects.toThrow(required);
    for (const name of ['can_subscribe_group', 'can_add_subscribers_group']) {
      const groupSettings = { [name]: { new: unnamed(olivia.userId), old: null } };
      await expect(change(ctx, olivia, vault, { groupSettings })).rejects.toThrow(required);
    }
    await change(ctx, olivia, vault, { newName: 'safe' });
  });

  test('to a kind of channel that the caller may not create', async () => {
    const channelId = await newChannel(ctx, iago, 'open');
    await ctx.db.transaction((tx) =>
      setGroupSetting(
        tx,
        olivia.realmId,
        { of: 'realm', name: 'can_create_private_channel_group' },
        namedGroup(roles['role:administrators']),
        0,
      ),
    );
    await expect(change(ctx, iago, channelId, { isPrivate: true })).rejects.toThrow('Insufficient permission');
    await change(ctx, olivia, channelId, { isPrivate: true });
    expect(await shown(channelId)).toMatchObject({ isPrivate: true, isHistoryPublic: false });
  });

  test('that makes a moderation channel public', async () => {
    const vault = await aVault();
    await setRealm(ctx, olivia, { moderation_request_channel_id: vault });
    await expect(change(ctx, iago, vault, { isPrivate: false })).rejects.toThrow(
      'A moderation request channel cannot be public.',
    );
  });

  test('that protects history where not everyone may create topics', async () => {
    const channelId = await newChannel(ctx, iago, 'open', {
      settings: { groupSettings: { can_create_topic_group: namedGroup(roles['role:members']) } },
    });
    await expect(change(ctx, iago, channelId, { isPrivate: true })).rejects.toThrow(
      'Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group',
    );
    await change(ctx, iago, channelId, { isPrivate: true, isHistoryPublic: true });
  });
});

describe('when a channel', () => {
  test('is opened, it appears with its subscribers to users who could not see it, and others get the change', async () => {
    const vault = await newChannel(ctx, iago, 'vault', { subscriberIds: [iago.userId], settings: { isPrivate: true } });
    const events = await eventsOf(() => change(ctx, iago, vault, { isPrivate: false }));
    expect(events.map((event) => inShort(event, [iago]))).toEqual([
      ['create', ['zoe']],
      ['update invite_only', ['olivia', 'iago']],
      ['peer_add', ['zoe']],
    ]);
    expect(events[0]?.event).toMatchObject({ streams: [{ stream_id: vault, invite_only: false }] });
    expect(events[1]?.event).toMatchObject({ value: false, history_public_to_subscribers: true, is_web_public: false });
    expect(events[2]?.event).toMatchObject({ stream_ids: [vault], user_ids: [iago.userId] });
  });

  test('is closed, it vanishes for users who can no longer see it', async () => {
    const open = await newChannel(ctx, iago, 'open', { subscriberIds: [iago.userId, guest.userId] });
    const events = await eventsOf(() => change(ctx, iago, open, { isPrivate: true }));
    expect(events.map((event) => inShort(event, [iago, guest]))).toEqual([
      ['delete', ['zoe']],
      ['update invite_only', ['olivia', 'iago', 'guest']],
    ]);
    expect(events[0]?.event).toMatchObject({ stream_ids: [open], streams: [{ stream_id: open }] });
  });

  test('only shares its history, that is a change of its privacy', async () => {
    const vault = await aVault();
    const events = await eventsOf(() => change(ctx, olivia, vault, { isHistoryPublic: true }));
    expect(events.map(({ event }) => event)).toMatchObject([
      { property: 'invite_only', value: true, history_public_to_subscribers: true },
    ]);
  });

  test('changes the right to see it, users who gain it get the channel, and users who lose it no longer do', async () => {
    const vault = await aVault();
    const let_ = (value: GroupSetting) =>
      change(ctx, iago, vault, { groupSettings: { can_subscribe_group: { new: value, old: null } } });
    const given = await eventsOf(() => let_(unnamed(zoe.userId, guest.userId)));
    expect(given.map((event) => inShort(event, [iago]))).toEqual([
      ['create', ['zoe']],
      ['update can_subscribe_group', ['olivia', 'iago']],
      ['peer_add', ['zoe']],
    ]);
    const taken = await eventsOf(() => let_(namedGroup(roles['role:nobody'])));
    expect(taken.map((event) => inShort(event, [iago]))).toEqual([
      ['delete', ['zoe']],
      ['update can_subscribe_group', ['olivia', 'iago']],
    ]);
    await eventsOf(() => let_(namedGroup(roles['role:members'])));
    await join(ctx, zoe, ['vault']);
  });
});

test('the notification bot posts the changes in the channel', async () => {
  await setRealm(ctx, olivia, { send_channel_events_messages: true });
  const channelId = await newChannel(ctx, iago, 'plans');
  await change(ctx, olivia, channelId, {
    newName: 'ideas',
    description: 'About',
    isPrivate: true,
    messageRetention: 'unlimited',
    topicsPolicy: 'empty_topic_only',
    groupSettings: { can_send_message_group: { new: namedGroup(roles['role:members']), old: null } },
  });
  const all = await payloadsOf<NoticeAnnounced>(ctx, olivia, 'notice.announced');
  const notices = all.filter(({ to }) => 'channelId' in to && to.channelId === channelId).slice(1);
  const who = `@_**Olivia Owner|${olivia.userId}**`;
  expect(notices.map(({ content }) => content)).toEqual([
    `${who} renamed channel **plans** to **ideas**.`,
    expect.stringContaining(`${who} changed the description for this channel.`),
    expect.stringContaining('for this channel from **Public** to **Private, protected history**.'),
    expect.stringContaining('* **Old permissions**: @_*role:everyone*.\n* **New permissions**: @_*role:members*.'),
    expect.stringContaining(
      "* **Old retention period**: The organization's default\n* **New retention period**: Forever",
    ),
  ]);
  expect(notices[0]).toMatchObject({ to: { channelId, topic: '' }, readByIds: [olivia.userId] });
});

test('a channel becomes a default channel, and stops being one', async () => {
  const channelId = await newChannel(ctx, iago, 'open');
  const defaults = async () =>
    (await publicEvents(ctx, olivia, 'default_streams')).map(({ event }) => event['default_streams']);
  await change(ctx, olivia, channelId, { isDefault: true });
  expect((await defaults()).at(-1)).toContain(channelId);
  await expect(change(ctx, olivia, channelId, { isPrivate: true })).rejects.toThrow(
    'A default channel cannot be private.',
  );
  await change(ctx, olivia, channelId, { isDefault: false, isPrivate: true });
  expect((await defaults()).at(-1)).not.toContain(channelId);
});

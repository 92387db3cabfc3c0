import type { CHANNEL_PERMISSION_SETTINGS } from '@parley/shared/access';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { channelIds, crowd, join, leave, newUser, type Person } from '../../test/examples';
import { payloadsOf, publicEvents } from '../../test/public-events';
import { setGroupSetting } from '../group-settings/change-group-settings';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
let iago: Person;
let zoe: Person;

beforeEach(async () => {
  [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
});

const idOf = async (name: string) => (await channelIds(ctx, olivia))[name] as number;
const only = (...people: Person[]) => ({ directMemberIds: people.map(({ userId }) => userId), directSubgroupIds: [] });
const give = async (name: string, setting: keyof typeof CHANNEL_PERMISSION_SETTINGS, person: Person) => {
  const place = { of: 'channel' as const, channelId: await idOf(name), name: setting };
  await ctx.db.transaction((tx) => setGroupSetting(tx, olivia.realmId, place, only(person), ctx.clock.now()));
};
const add = (from: Person, name: string, ...people: Person[]) =>
  join(ctx, from, [name], { principalIds: people.map(({ userId }) => userId), sendsNotices: true });

describe('the right to subscribe others', () => {
  beforeEach(async () => {
    const place = { of: 'realm' as const, name: 'can_add_subscribers_group' as const };
    await ctx.db.transaction((tx) => setGroupSetting(tx, olivia.realmId, place, only(), ctx.clock.now()));
    await join(ctx, olivia, ['open']);
    await join(ctx, olivia, ['closed'], { newChannel: { isPrivate: true } });
  });

  test('is not needed to subscribe oneself, by name or not', async () => {
    await join(ctx, iago, ['open']);
    expect((await add(zoe, 'open', zoe)).subscribed).toHaveLength(1);
  });

  test('is the organization’s to give, or the channel’s', async () => {
    await expect(add(iago, 'open', zoe)).rejects.toThrow('Insufficient permission');
    await give('open', 'can_add_subscribers_group', iago);
    expect((await add(iago, 'open', zoe)).subscribed).toHaveLength(1);
    await give('open', 'can_administer_channel_group', zoe);
    expect((await add(zoe, 'open', iago)).subscribed).toHaveLength(1);
  });

  test('is every administrator’s, where they may read', async () => {
    const admin = await newUser(ctx, olivia, { role: 200 });
    expect((await add(admin, 'open', zoe)).subscribed).toHaveLength(1);
    await expect(add(admin, 'closed', zoe)).rejects.toThrow('Unable to access channel (closed).');
    await give('closed', 'can_add_subscribers_group', admin);
    expect((await add(admin, 'closed', zoe)).subscribed).toHaveLength(1);
  });

  test('comes with a channel that one makes, unless it is given to others', async () => {
    expect((await add(iago, 'mine', zoe)).subscribed).toHaveLength(1);
    const groupSettings = { can_administer_channel_group: only(zoe) };
    const attempt = join(ctx, iago, ['theirs'], { principalIds: [zoe.userId], newChannel: { groupSettings } });
    await expect(attempt).rejects.toThrow('Insufficient permission');
    expect(await idOf('theirs')).toBeUndefined();
  });

  test('is reported before users that do not exist, but after channels that are closed', async () => {
    const nobody = { principalIds: [2 ** 50] };
    await expect(join(ctx, iago, ['open'], nobody)).rejects.toThrow('Insufficient permission');
    await expect(join(ctx, iago, ['open', 'closed'], nobody)).rejects.toThrow('Unable to access channel (closed).');
    const rest = { ...nobody, areAuthorizationErrorsFatal: false };
    await expect(join(ctx, iago, ['open', 'closed'], rest)).rejects.toThrow('Insufficient permission');
  });

  test('does not reach the service’s own bots', async () => {
    const [bot] = await ctx.db.query<{ id: number }>(
      'select id from user_account where realm_id = $1 and system_bot is not null',
      [olivia.realmId],
    );
    await expect(join(ctx, olivia, ['open'], { principalIds: [bot?.id as number] })).rejects.toThrow('No such user');
  });
});

describe('announcements', () => {
  const announcedBy = async (work: () => Promise<unknown>) => {
    await ctx.db.query('delete from outbox');
    await work();
    const rows = await ctx.db.query<{ kind: string }>('select kind from outbox where realm_id = $1 order by id', [
      olivia.realmId,
    ]);
    return rows.map(({ kind }) => kind);
  };
  const audiences = async (type: string, op: string) =>
    (await publicEvents(ctx, olivia, type)).filter(({ event }) => event['op'] === op).map(({ audience }) => audience);

  test('users added to a private channel get it, then their subscription; others get the new subscribers', async () => {
    await join(ctx, olivia, ['closed'], { newChannel: { isPrivate: true } });
    await give('closed', 'can_subscribe_group', zoe);
    const id = await idOf('closed');
    expect(await announcedBy(() => add(olivia, 'closed', iago, zoe))).toEqual([
      'subscription.changed',
      'channel.appeared',
      'subscription.added',
      'peers.added',
      'notice.announced',
    ]);
    expect(await audiences('stream', 'create')).toEqual([{ to: 'users', userIds: [iago.userId] }]);
    expect(await audiences('subscription', 'add')).toEqual([{ to: 'users', userIds: [iago.userId, zoe.userId] }]);
    expect(await audiences('subscription', 'peer_add')).toEqual([
      {
        ...{ to: 'subscribers', channelId: id, version: 2, isPublic: false },
        ...{ alsoIds: [zoe.userId], exceptIds: [iago.userId, zoe.userId] },
      },
    ]);
  });

  test('a subscription comes with the channel as it is then, and everybody in it', async () => {
    await join(ctx, olivia, ['news']);
    await ctx.db.query('delete from outbox');
    await add(olivia, 'news', iago);
    const [added] = await publicEvents(ctx, olivia, 'subscription', ['notification_settings_null']);
    expect(added?.event).toMatchObject({
      ...{ type: 'subscription', op: 'add' },
      subscriptions: [
        {
          ...{ stream_id: await idOf('news'), name: 'news', subscriber_count: 2, color: '#e79ab5' },
          ...{ is_muted: false, in_home_view: true, pin_to_top: false, desktop_notifications: null },
          subscribers: [olivia.userId, iago.userId],
        },
      ],
    });
  });

  test('a guest added to a public channel gets it first, and other guests get nothing', async () => {
    const [guest, other] = [await newUser(ctx, olivia, { role: 600 }), await newUser(ctx, olivia, { role: 600 })];
    await join(ctx, olivia, ['news']);
    await ctx.db.query('delete from outbox');
    await add(olivia, 'news', guest);
    expect(await audiences('stream', 'create')).toEqual([{ to: 'users', userIds: [guest.userId] }]);
    expect(await audiences('subscription', 'peer_add')).toEqual([
      { to: 'realm', exceptIds: [guest.userId, other.userId, guest.userId] },
    ]);
  });

  test('a new private channel appears for administrators first, then for its subscribers', async () => {
    await join(ctx, iago, ['closed'], { newChannel: { isPrivate: true }, principalIds: [zoe.userId] });
    const [first, second] = await audiences('stream', 'create');
    expect(first).toMatchObject({ to: 'subscribers', version: 0, alsoIds: [olivia.userId, iago.userId] });
    expect(second).toEqual({ to: 'users', userIds: [zoe.userId] });
  });

  test('restricted guests get to see the other subscribers', async () => {
    const { 'role:members': groupId } = await findSystemGroupIds(ctx.db, olivia.realmId);
    const place = { of: 'realm' as const, name: 'can_access_all_users_group' as const };
    const value = { groupId, directMemberIds: [], directSubgroupIds: [] };
    await ctx.db.transaction((tx) => setGroupSetting(tx, olivia.realmId, place, value, ctx.clock.now()));
    const guest = await newUser(ctx, olivia, { role: 600 });
    await leave(ctx, guest, ['general', 'sandbox', 'tips']);
    await join(ctx, iago, ['news']);
    const meeting = await announcedBy(() => add(iago, 'news', guest));
    expect(meeting.filter((kind) => /^user|added/.test(kind))).toEqual([
      'user.met',
      'subscription.added',
      'peers.added',
    ]);
    const parting = await announcedBy(() => leave(ctx, guest, ['news']));
    expect(parting.filter((kind) => /^user|removed/.test(kind))).toEqual([
      ...['subscription.removed', 'peers.removed', 'user.lost'],
    ]);
  });

  test('returning subscribers keep their properties, and nothing is announced twice', async () => {
    await join(ctx, iago, ['news']);
    await ctx.db.query('update subscription set is_pinned = true where user_id = $1', [iago.userId]);
    await leave(ctx, iago, ['news']);
    expect(await announcedBy(() => join(ctx, iago, ['news']))).toEqual([
      'subscription.changed',
      'subscription.added',
      'peers.added',
    ]);
    const [added] = await publicEvents(ctx, olivia, 'subscription');
    expect(added?.event).toMatchObject({ subscriptions: [{ name: 'news', pin_to_top: true }] });
    expect(await announcedBy(() => join(ctx, iago, ['news']))).toEqual([]);
  });
});

describe('people subscribed by others', () => {
  const notices = async () => {
    const payloads = await payloadsOf<{ to: { userIds?: number[] }; content: string }>(ctx, olivia, 'notice.announced');
    return payloads.filter(({ content }) => content.includes('subscribed you'));
  };
  const who = () => `@_**Olivia Owner|${olivia.userId}**`;

  test('are notified by direct message', async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    await join(ctx, zoe, ['news', 'views', 'taken']);
    const principalIds = [olivia.userId, iago.userId, zoe.userId, bot.userId];
    const wanted = { principalIds, sendsNotices: true };
    expect(await join(ctx, olivia, ['news', 'fresh'], wanted)).toMatchObject({ areNoticesSent: true });
    await join(ctx, olivia, ['views', 'taken'], wanted);
    expect((await notices()).map(({ to, content }) => [to.userIds, content])).toEqual([
      [[iago.userId], `${who()} subscribed you to #**news**.`],
      [[iago.userId], `${who()} subscribed you to the following channels:\n\n* #**views**\n* #**taken**`],
    ]);
  });

  test('are not when that is not wanted, or when they are too many', async () => {
    await join(ctx, olivia, ['news', 'views']);
    const quiet = await join(ctx, olivia, ['news'], { principalIds: [iago.userId] });
    const few = await join(ctx, olivia, ['news', 'views'], {
      ...{ principalIds: await crowd(ctx, olivia, 100), sendsNotices: true },
    });
    const many = { principalIds: await crowd(ctx, olivia, 101), sendsNotices: true };
    const answers = [quiet, few, await join(ctx, olivia, ['news'], many), await join(ctx, olivia, ['news'], many)];
    expect(answers.map(({ areNoticesSent }) => areNoticesSent)).toEqual([false, true, false, true]);
    expect((await notices()).map(({ to }) => to.userIds?.length)).toEqual([100]);
  });
});

import type { CHANNEL_PERMISSION_SETTINGS } from '@parley/shared/access';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { channelIds, crowd, join, leave, newUser, type Person } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { setGroupSetting } from '../group-settings/change-group-settings';
import { getSubscribers } from './subscribe';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const idOf = async (name: string) => (await channelIds(ctx, olivia))[name] as number;
const intervalsOf = async (name: string) => {
  const { subscribers } = await getSubscribers(ctx, { realmId: olivia.realmId, channelId: await idOf(name) });
  return Object.fromEntries(subscribers.map(({ userId, intervals }) => [userId, intervals]));
};
/** The events of an action about subscriptions and channels. */
const subscriptionEvents = async (work: () => Promise<unknown>) => {
  await ctx.db.query('delete from outbox');
  await work();
  const events = [...(await publicEvents(ctx, olivia, 'subscription')), ...(await publicEvents(ctx, olivia, 'stream'))];
  return events.map(({ audience, event }): Record<string, unknown> => ({ ...event, audience }));
};

describe('leaving', () => {
  test('ends the user’s interval, and keeps the properties', async () => {
    await join(ctx, olivia, ['news']);
    const before = await ctx.db.query('select color from subscription where channel_id = $1', [await idOf('news')]);
    expect(await leave(ctx, olivia, [' NEWS ', 'general', 'news'])).toEqual({
      removed: ['news', 'general'],
      notRemoved: [],
    });
    expect(await leave(ctx, olivia, ['news'])).toEqual({ removed: [], notRemoved: ['news'] });
    await join(ctx, olivia, ['news']);
    expect(await intervalsOf('news')).toEqual({
      [olivia.userId]: [{ fromVersion: 1, toVersion: 2 }, { fromVersion: 3 }],
    });
    const after = await ctx.db.query('select color from subscription where channel_id = $1', [await idOf('news')]);
    expect(after).toEqual(before);
  });

  test('is allowed to everybody, guests and bots included', async () => {
    const guest = await newUser(ctx, olivia, { role: 600 });
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    await join(ctx, olivia, ['club'], { newChannel: { isPrivate: true }, principalIds: [guest.userId, bot.userId] });
    for (const person of [guest, bot]) {
      expect(await leave(ctx, person, ['club'])).toEqual({ removed: ['club'], notRemoved: [] });
    }
  });

  test('is announced to the user and to others', async () => {
    await join(ctx, olivia, ['news', 'views']);
    const [news, views] = [await idOf('news'), await idOf('views')];
    const own = { to: 'users', userIds: [olivia.userId] };
    expect(await subscriptionEvents(() => leave(ctx, olivia, ['news', 'views']))).toEqual([
      {
        ...{ type: 'subscription', op: 'remove', audience: own },
        subscriptions: [
          { stream_id: news, name: 'news' },
          { stream_id: views, name: 'views' },
        ],
      },
      {
        ...{ type: 'subscription', op: 'peer_remove', stream_ids: [news, views], user_ids: [olivia.userId] },
        audience: { to: 'realm', exceptIds: [olivia.userId] },
      },
    ]);
    expect(await subscriptionEvents(() => leave(ctx, olivia, ['news']))).toEqual([]);
  });

  test('a private channel makes it vanish, but not for an administrator', async () => {
    const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
    const principalIds = [olivia.userId, iago.userId, zoe.userId];
    await join(ctx, olivia, ['club'], { newChannel: { isPrivate: true }, principalIds });
    const id = await idOf('club');
    const vanished = async (person: Person) =>
      (await subscriptionEvents(() => leave(ctx, person, ['club']))).filter((event) => event['type'] === 'stream');
    expect(await vanished(iago)).toEqual([
      {
        ...{ type: 'stream', op: 'delete', stream_ids: [id], streams: [{ stream_id: id }] },
        audience: { to: 'users', userIds: [iago.userId] },
      },
    ]);
    expect(await vanished(olivia)).toEqual([]);
    const events = await subscriptionEvents(() => leave(ctx, zoe, ['club']));
    expect(events.find((event) => event['op'] === 'peer_remove')?.['audience']).toEqual({
      ...{ to: 'subscribers', channelId: id, version: 4, isPublic: false },
      ...{ alsoIds: [olivia.userId], exceptIds: [zoe.userId] },
    });
  });

  test('a public channel makes it vanish for a guest', async () => {
    const guest = await newUser(ctx, olivia, { role: 600 });
    await join(ctx, olivia, ['news'], { principalIds: [guest.userId] });
    const events = await subscriptionEvents(() => leave(ctx, guest, ['news']));
    expect(events.map((event) => `${event['type']} ${event['op']}`)).toEqual([
      'subscription remove',
      'subscription peer_remove',
      'stream delete',
    ]);
  });
});

describe('unsubscribing others', () => {
  let iago: Person;
  let zoe: Person;
  beforeEach(async () => {
    [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
    await join(ctx, zoe, ['news']);
    await join(ctx, olivia, ['news', 'club'], { newChannel: { isPrivate: true }, principalIds: [zoe.userId] });
  });

  const removeZoe = (from: Person, name: string) => leave(ctx, from, [name], { principalIds: [zoe.userId] });
  const done = (name: string) => ({ removed: [name], notRemoved: [] });
  const give = async (name: string, setting: keyof typeof CHANNEL_PERMISSION_SETTINGS, person: Person) => {
    const place = { of: 'channel' as const, channelId: await idOf(name), name: setting };
    const value = { directMemberIds: [person.userId], directSubgroupIds: [] };
    await ctx.db.transaction((tx) => setGroupSetting(tx, olivia.realmId, place, value, ctx.clock.now()));
  };

  test('is allowed to administrators, in every channel', async () => {
    const admin = await newUser(ctx, olivia, { role: 200 });
    expect(await removeZoe(admin, 'news')).toEqual(done('news'));
    expect(await removeZoe(admin, 'club')).toEqual(done('club'));
  });

  test('is allowed for the channel’s administrators, and by its permission to remove', async () => {
    await give('club', 'can_administer_channel_group', iago);
    expect(await removeZoe(iago, 'club')).toEqual(done('club'));
    await give('news', 'can_remove_subscribers_group', iago);
    expect(await removeZoe(iago, 'news')).toEqual(done('news'));
  });

  test('is refused to others; hidden channels are not found, regardless of permissions in them', async () => {
    await expect(removeZoe(iago, 'news')).rejects.toThrow('Insufficient permission');
    const missing = {
      code: 'STREAM_DOES_NOT_EXIST',
      message: "Channel 'club' does not exist",
      fields: { stream: 'club' },
    };
    await expect(removeZoe(iago, 'club')).rejects.toMatchObject(missing);
    await give('club', 'can_remove_subscribers_group', iago);
    await expect(removeZoe(iago, 'club')).rejects.toMatchObject(missing);
    await expect(removeZoe(iago, 'nothing')).rejects.toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  });

  test('requires no right for own bots, in every channel', async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
    await join(ctx, zoe, ['club'], { principalIds: [bot.userId] });
    expect(await leave(ctx, iago, ['club'], { principalEmails: [bot.email] })).toEqual(done('club'));
    await join(ctx, olivia, ['news'], { principalIds: [bot.userId] });
    const both = { principalIds: [bot.userId, zoe.userId] };
    await expect(leave(ctx, iago, ['news'], both)).rejects.toThrow('Insufficient permission');
  });

  test('answers by user and channel name', async () => {
    const principalIds = [zoe.userId, olivia.userId, iago.userId];
    expect(await leave(ctx, olivia, ['news', 'club'], { principalIds })).toEqual({
      removed: ['news', 'club'],
      notRemoved: ['news', 'club', 'news', 'club'],
    });
  });

  test('is refused for unknown and deactivated users before any change', async () => {
    await ctx.db.query('update user_account set is_active = false where id = $1', [zoe.userId]);
    await expect(removeZoe(iago, 'nothing')).rejects.toThrow('User is deactivated');
    await expect(leave(ctx, iago, ['nothing'], { principalIds: [2 ** 50] })).rejects.toThrow('No such user');
  });
});

test('unsubscribing 10,000 users takes as many statements as unsubscribing two', async () => {
  const count = async (size: number, names: string[]) => {
    const principalIds = await crowd(ctx, olivia, size);
    await join(ctx, olivia, names, { principalIds });
    const before = ctx.db.statementCount;
    const { removed } = await leave(ctx, olivia, names, { principalIds });
    expect(removed).toHaveLength(size * names.length);
    return ctx.db.statementCount - before;
  };
  const few = await count(2, ['few']);
  expect(await count(10_000, ['few', 'many'])).toBe(few);
});

import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { announced, channelIds, crowd, join, leave, newOrganization, newUser } from '../../test/examples';
import { getSubscribers, subscribe } from './subscribe';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const idOf = async (name: string) => (await channelIds(ctx, olivia))[name] as number;

const subscribersOf = async (name: string) =>
  getSubscribers(ctx, { realmId: olivia.realmId, channelId: await idOf(name) });

const stored = async (name: string) => {
  const [channel] = await ctx.db.query<Record<string, unknown>>(
    `select c.description, c.rendered_description, c.creator_id, c.is_private, c.is_history_public, c.is_default,
       c.topics_policy, c.subscriber_count, g.name as send_group
     from channel c join user_group g on g.id = c.can_send_message_group_id where c.realm_id = $1 and c.name = $2`,
    [olivia.realmId, name],
  );
  return channel;
};

async function untilSomebodyWaits(): Promise<void> {
  const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await ctx.db.query(waiting)).length === 0) await new Promise(setImmediate);
}

describe('subscribing oneself', () => {
  test('to a channel that does not exist makes it', async () => {
    const answer = await subscribe(ctx, olivia, {
      channels: [{ name: ' Käse ', description: 'All about\n<b>cheese</b>', color: '#ABCDEF' }],
      principalIds: [],
      principalEmails: [],
      areAuthorizationErrorsFatal: true,
      newChannel: null,
      sendsNotices: false,
    });
    expect(answer).toEqual({
      subscribed: [{ userId: olivia.userId, channelNames: ['Käse'] }],
      alreadySubscribed: [],
      unauthorized: [],
      areNoticesSent: false,
    });
    expect(await stored('Käse')).toEqual({
      description: 'All about <b>cheese</b>',
      rendered_description: '<p>All about &lt;b&gt;cheese&lt;/b&gt;</p>',
      creator_id: olivia.userId,
      is_private: false,
      is_history_public: true,
      is_default: false,
      topics_policy: 'inherit',
      subscriber_count: 1,
      send_group: 'role:everyone',
    });
  });

  test('makes channels of the kind that the request describes, and leaves existing ones as they are', async () => {
    await join(ctx, olivia, ['open']);
    await join(ctx, olivia, ['open', 'closed'], {
      newChannel: { isPrivate: true, isHistoryPublic: true, topicsPolicy: 'empty_topic_only' },
    });
    expect(await stored('open')).toMatchObject({ is_private: false, topics_policy: 'inherit' });
    expect(await stored('closed')).toMatchObject({
      is_private: true,
      is_history_public: true,
      topics_policy: 'empty_topic_only',
    });
  });

  test('finds existing channels in any casing and reports existing subscriptions', async () => {
    const iago = await newUser(ctx, olivia);
    await join(ctx, olivia, ['Käse']);
    expect(await join(ctx, iago, ['GENERAL', 'kÄSE', 'käse'])).toEqual({
      subscribed: [{ userId: iago.userId, channelNames: ['Käse'] }],
      alreadySubscribed: [{ userId: iago.userId, channelNames: ['general'] }],
      unauthorized: [],
      areNoticesSent: false,
    });
  });

  test('again changes and announces nothing', async () => {
    await join(ctx, olivia, ['news']);
    const before = await announced(ctx, olivia);
    await join(ctx, olivia, ['news']);
    expect(await announced(ctx, olivia)).toEqual(before);
    expect(await subscribersOf('news')).toEqual({
      version: 1,
      subscribers: [{ userId: olivia.userId, intervals: [{ fromVersion: 1 }] }],
    });
  });

  test('after leaving begins a new interval and keeps the colour', async () => {
    await join(ctx, olivia, ['news']);
    const channelId = await idOf('news');
    const colors = async () => ctx.db.query('select color from subscription where channel_id = $1', [channelId]);
    const before = await colors();
    await leave(ctx, olivia, ['news']);
    await join(ctx, olivia, ['news']);
    expect(await subscribersOf('news')).toEqual({
      version: 3,
      subscribers: [{ userId: olivia.userId, intervals: [{ fromVersion: 1, toVersion: 2 }, { fromVersion: 3 }] }],
    });
    expect(await colors()).toEqual(before);
  });
});

describe('subscribing others', () => {
  test('by id or by address leaves the caller out, even of channels made by the call', async () => {
    const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
    await join(ctx, olivia, ['by-id'], { principalIds: [iago.userId, zoe.userId, iago.userId] });
    await join(ctx, olivia, ['by-address'], { principalEmails: [` ${iago.email.toUpperCase()} `] });
    const ids = async (name: string) => (await subscribersOf(name)).subscribers.map(({ userId }) => userId);
    expect(await ids('by-id')).toEqual([iago.userId, zoe.userId]);
    expect(await ids('by-address')).toEqual([iago.userId]);
  });

  test('raises the version once for each channel, however many join', async () => {
    const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
    const before = await announced(ctx, olivia);
    await join(ctx, olivia, ['one', 'two'], { principalIds: [olivia.userId, iago.userId] });
    await join(ctx, olivia, ['two', 'one'], { principalIds: [olivia.userId, iago.userId, zoe.userId] });
    const [one, two] = [await idOf('one'), await idOf('two')];
    const first = { version: 1, subscribedIds: [olivia.userId, iago.userId], unsubscribedIds: [] };
    const second = { version: 2, subscribedIds: [zoe.userId], unsubscribedIds: [] };
    expect((await announced(ctx, olivia)).slice(before.length)).toEqual([
      { channelId: one, ...first },
      { channelId: two, ...first },
      { channelId: one, ...second },
      { channelId: two, ...second },
    ]);
    expect(await stored('one')).toMatchObject({ subscriber_count: 3 });
  });

  test('includes guests and bots', async () => {
    const guest = await newUser(ctx, olivia, { role: 600 });
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    const { subscribed } = await join(ctx, olivia, ['team'], { principalIds: [guest.userId, bot.userId] });
    expect(subscribed.map(({ userId }) => userId)).toEqual([guest.userId, bot.userId]);
  });

  test('is refused for unknown and deactivated users, and no channel is created', async () => {
    const iago = await newUser(ctx, olivia);
    const stranger = await newOrganization(ctx);
    await ctx.db.query('update user_account set is_active = false where id = $1', [iago.userId]);
    const refusals = [
      [{ principalIds: [olivia.userId, stranger.userId] }, 'No such user'],
      [{ principalIds: [2 ** 63] }, 'No such user'],
      [{ principalEmails: ['nobody@example.com'] }, 'No such user'],
      [{ principalEmails: ['nul\0'] }, 'No such user'],
      [{ principalIds: [iago.userId] }, 'User is deactivated'],
      [{ principalIds: [1], principalEmails: ['a@b'] }, 'principals may contain emails or user IDs, but not both.'],
      [{ principalIds: Array.from({ length: 20_001 }, (_, id) => id + 1) }, 'Too many principals (limit: 20000)'],
    ] as const;
    for (const [principals, message] of refusals) {
      await expect(join(ctx, olivia, ['fresh'], principals as never)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        httpStatus: 400,
        message,
      });
    }
    expect(await stored('fresh')).toBeUndefined();
  });
});

describe('channels that cannot be joined', () => {
  beforeEach(async () => {
    await join(ctx, olivia, ['secret'], { newChannel: { isPrivate: true } });
    await join(ctx, olivia, ['old']);
    await ctx.db.query('update channel set is_archived = true where id = $1', [await idOf('old')]);
  });

  test('stops the request at the first such channel', async () => {
    const iago = await newUser(ctx, olivia, { role: 200 });
    await expect(join(ctx, iago, ['news', 'Secret', 'old'])).rejects.toThrow('Unable to access channel (Secret).');
    await expect(join(ctx, olivia, ['secret', 'old'])).rejects.toThrow('Unable to access channel (old).');
    expect(await stored('news')).toBeUndefined();
  });

  test('is listed when that is not to be fatal, and the rest is joined', async () => {
    const iago = await newUser(ctx, olivia);
    expect(await join(ctx, iago, ['secret', 'news', 'old'], { areAuthorizationErrorsFatal: false })).toEqual({
      subscribed: [{ userId: iago.userId, channelNames: ['news'] }],
      alreadySubscribed: [],
      unauthorized: ['secret', 'old'],
      areNoticesSent: false,
    });
    expect((await subscribersOf('secret')).subscribers.map(({ userId }) => userId)).toEqual([olivia.userId]);
  });

  test('subscribers may add others', async () => {
    const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
    await join(ctx, olivia, ['secret'], { principalIds: [iago.userId] });
    await join(ctx, iago, ['secret'], { principalIds: [zoe.userId] });
    expect((await subscribersOf('secret')).subscribers).toHaveLength(3);
  });

  test('is the same for a channel of another organization as for one that does not exist', async () => {
    const stranger = await newOrganization(ctx);
    await join(ctx, stranger, ['secret']);
    expect(Object.keys(await channelIds(ctx, stranger))).toContain('secret');
    expect((await subscribersOf('secret')).subscribers.map(({ userId }) => userId)).toEqual([olivia.userId]);
  });
});

describe('refusals come in this order', () => {
  const broken = { newChannel: { isDefault: true, isPrivate: true }, principalIds: [2 ** 63] };

  test('guests, names, new channels, access, principals', async () => {
    await join(ctx, olivia, ['secret'], { newChannel: { isPrivate: true } });
    const guest = await newUser(ctx, olivia, { role: 600 });
    const iago = await newUser(ctx, olivia);
    const attempts = [
      join(ctx, guest, ['', 'secret', 'new'], broken),
      join(ctx, iago, ['', 'secret', 'new'], broken),
      join(ctx, iago, ['secret', 'new'], broken),
      join(ctx, iago, ['secret'], broken),
      join(ctx, iago, ['general'], broken),
    ];
    const results = await Promise.allSettled(attempts);
    expect(results.map((result) => (result.status === 'rejected' ? result.reason.message : 'fulfilled'))).toEqual([
      'Not allowed for guest users',
      "Channel name can't be empty.",
      'Insufficient permission',
      'Unable to access channel (secret).',
      'No such user',
    ]);
  });

  test('a caller deactivated during the call is refused', async () => {
    await ctx.db.query('update user_account set is_active = false where id = $1', [olivia.userId]);
    await expect(join(ctx, olivia, ['news'])).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
  });

  test('channels times users have a bound', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `c${index}`);
    await expect(join(ctx, olivia, names, { principalIds: await crowd(ctx, olivia, 2_000) })).rejects.toThrow(
      'Too many subscriptions (limit: 20000)',
    );
  });
});

describe('at the same moment', () => {
  test('20 users join one channel: 20 versions without a gap', async () => {
    await join(ctx, olivia, ['busy'], { principalIds: await crowd(ctx, olivia, 1) });
    const users = await Promise.all(Array.from({ length: 20 }, () => newUser(ctx, olivia)));
    const before = (await announced(ctx, olivia)).length;
    await Promise.all(users.map((user) => join(ctx, user, ['busy'])));
    const versions = Array.from({ length: 20 }, (_, index) => index + 2);
    const changes = (await announced(ctx, olivia)).slice(before);
    expect(changes.map(({ version }) => version)).toEqual(versions);
    const { version, subscribers } = await subscribersOf('busy');
    expect(version).toBe(21);
    for (const { version: joinedAt, subscribedIds } of changes) {
      const subscriber = subscribers.find(({ userId }) => userId === subscribedIds[0]);
      expect(subscriber?.intervals).toEqual([{ fromVersion: joinedAt }]);
    }
    expect(await stored('busy')).toMatchObject({ subscriber_count: 21 });
  });

  test('one user joins from five devices: one subscription, one version', async () => {
    await join(ctx, olivia, ['news']);
    const iago = await newUser(ctx, olivia);
    await Promise.all(Array.from({ length: 5 }, () => join(ctx, iago, ['news'])));
    expect(await subscribersOf('news')).toMatchObject({
      version: 2,
      subscribers: [{ userId: olivia.userId }, { userId: iago.userId, intervals: [{ fromVersion: 2 }] }],
    });
  });

  test('several make one channel: there is one, and all are in it', async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => newUser(ctx, olivia)));
    const answers = await Promise.all(users.map((user) => join(ctx, user, ['Fresh', 'Air'])));
    expect(answers.map(({ subscribed }) => subscribed[0]?.channelNames)).toEqual(users.map(() => ['Fresh', 'Air']));
    const { version, subscribers } = await subscribersOf('Fresh');
    expect(version).toBe(5);
    expect(subscribers.map(({ userId }) => userId)).toEqual(users.map(({ userId }) => userId).sort((a, b) => a - b));
  });

  test('one makes a private channel, another wants it by the same name: the second is refused', async () => {
    const iago = await newUser(ctx, olivia);
    const attempts = [
      join(ctx, olivia, ['club'], { newChannel: { isPrivate: true } }),
      join(ctx, iago, ['club'], { newChannel: { isPrivate: true } }),
    ];
    const results = await Promise.allSettled(attempts);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await subscribersOf('club')).subscribers).toHaveLength(1);
  });

  test('a concurrent addition by a user and removal of that user are serialized', async () => {
    const iago = await newUser(ctx, olivia);
    await join(ctx, olivia, ['club'], { newChannel: { isPrivate: true } });
    const attempt = await ctx.db.transaction(async (tx) => {
      const values = [await idOf('club'), olivia.userId];
      await tx.query('select from channel where id = $1 for no key update', [values[0]]);
      await tx.query('update subscription set is_active = false where channel_id = $1 and user_id = $2', values);
      const result = join(ctx, olivia, ['club'], { principalIds: [iago.userId] }).catch(
        (error: Error) => error.message,
      );
      await untilSomebodyWaits();
      return { result };
    });
    expect(await attempt.result).toBe('Unable to access channel (club).');
  });

  test('two join the same channels in opposite order: neither waits for ever', async () => {
    const names = ['a', 'b', 'c', 'd'];
    await join(ctx, olivia, names);
    const users = await Promise.all(Array.from({ length: 10 }, () => newUser(ctx, olivia)));
    await Promise.all(users.map((user, index) => join(ctx, user, index % 2 ? names : names.toReversed())));
    expect((await subscribersOf('d')).version).toBe(11);
  });
});

describe('the budget', () => {
  test('subscribing 10,000 users takes as many statements as subscribing two', async () => {
    await join(ctx, olivia, ['few', 'many']);
    const count = async (size: number, names: string[]) => {
      const principalIds = await crowd(ctx, olivia, size);
      const before = ctx.db.statementCount;
      await join(ctx, olivia, names, { principalIds });
      return ctx.db.statementCount - before;
    };
    const few = await count(2, ['few']);
    expect(few).toBeLessThanOrEqual(20);
    expect(await count(10_000, ['few', 'many'])).toBe(few);
  });

  test('10,000 users join within the time of a call', async () => {
    const principalIds = await crowd(ctx, olivia, 10_000);
    const { subscribed } = await join(ctx, olivia, ['everyone'], { principalIds });
    expect(subscribed).toHaveLength(10_000);
    const { version, subscribers } = await subscribersOf('everyone');
    expect([version, subscribers.length]).toEqual([1, 10_000]);
  });
});

test('a missing channel has no subscribers, at version 0', async () => {
  const nobody = { version: 0, subscribers: [] };
  expect(await getSubscribers(ctx, { realmId: olivia.realmId, channelId: 2 ** 40 })).toEqual(nobody);
  expect(await getSubscribers(ctx, { realmId: olivia.realmId, channelId: 2 ** 63 })).toEqual(nobody);
  const stranger = await newOrganization(ctx);
  expect(await getSubscribers(ctx, { realmId: stranger.realmId, channelId: await idOf('general') })).toEqual(nobody);
});

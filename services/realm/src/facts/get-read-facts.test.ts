import type { ReceiptQuery } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { join, newOrganization, newUser, type Person } from '../../test/examples';
import { addAlertWords } from '../personal/alert-words';
import { muteUser } from '../personal/muted-users';
import { getChannelsOfReaders, getReadFacts } from './get-read-facts';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

beforeEach(async () => {
  await join(ctx, olivia, ['open']);
  await join(ctx, olivia, ['shared'], { newChannel: { isPrivate: true, isHistoryPublic: true } });
  await join(ctx, olivia, ['protected'], { newChannel: { isPrivate: true } });
});

/** By channel: may read history, has content access, is subscribed. */
async function rightsOf(reader: Caller): Promise<Record<string, boolean[]>> {
  const { channels } = await getReadFacts(ctx, reader);
  return Object.fromEntries(
    channels.map(({ name, mayReadHistory, hasContentAccess, isSubscribed }) => [
      name,
      [mayReadHistory, hasContentAccess, isSubscribed],
    ]),
  );
}

test('the channels of many readers are loaded at once, with the same result as for each', async () => {
  const readers = [olivia, await newUser(ctx, olivia), await newUser(ctx, olivia, { role: 200 })];
  const { channels } = await getReadFacts(ctx, olivia);
  const ids = channels.filter(({ name }) => name !== 'tips').map(({ channelId }) => channelId);
  const asked = readers.map(({ userId }) => ({ userId, channelIds: ids }));
  const before = ctx.db.statementCount;
  const answer = await getChannelsOfReaders(ctx, {
    realmId: olivia.realmId,
    readers: [...asked, { userId: 999_999, channelIds: ids }],
  });
  expect(ctx.db.statementCount - before).toBe(1);
  const alone = readers.map(async (reader) => (await getReadFacts(ctx, reader, { channels: { ids } })).channels);
  expect(answer.readers).toEqual(
    (await Promise.all(alone)).map((known, index) => ({
      userId: readers[index]?.userId,
      channels: known,
      mutedUserIds: [],
    })),
  );
});

test('many readers are loaded at once with their own channels and whom they mute, with the same result as each', async () => {
  const [member, iago] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
  await muteUser(ctx, olivia, { userId: iago.userId });
  const readers = [olivia, member, await newUser(ctx, olivia, { role: 200 })];
  const { channels } = await getReadFacts(ctx, olivia);
  const [one] = channels.map(({ channelId }) => channelId) as [number];
  const asked = readers.map(({ userId }, index) => ({ userId, channelIds: index === 0 ? [] : [one] }));
  const before = ctx.db.statementCount;
  const request = { realmId: olivia.realmId, readers: asked, withOwn: true };
  const answer = await getChannelsOfReaders(ctx, request);
  expect(ctx.db.statementCount - before).toBe(1);
  const alone = await Promise.all(
    readers.map(async (reader, index) => {
      const scope = { ids: asked[index]?.channelIds ?? [], withOwn: true };
      const facts = await getReadFacts(ctx, reader, { channels: scope });
      return { userId: reader.userId, channels: facts.channels, mutedUserIds: facts.mutedUserIds, isActive: true };
    }),
  );
  expect(answer.readers).toEqual(alone);
  expect(answer.readers.map(({ mutedUserIds }) => mutedUserIds)).toEqual([[iago.userId], [], []]);
});

describe('readable messages', () => {
  test('by a subscriber: received messages, and shared history', async () => {
    expect(await rightsOf(olivia)).toEqual({
      general: [true, true, true],
      sandbox: [true, true, true],
      tips: [true, true, true],
      open: [true, true, true],
      shared: [true, true, true],
      protected: [false, true, true],
    });
  });

  test('by a member: public channels, and nothing of private ones, not even that they exist', async () => {
    expect(await rightsOf(await newUser(ctx, olivia))).toEqual({
      general: [true, true, true],
      sandbox: [true, true, true],
      tips: [true, true, true],
      open: [true, true, false],
    });
  });

  test('by an administrator: private channels are seen, not read', async () => {
    expect(await rightsOf(await newUser(ctx, olivia, { role: 200 }))).toMatchObject({
      shared: [false, false, false],
      protected: [false, false, false],
    });
  });

  test('by a guest: channels they are in, and web-public ones', async () => {
    const guest = await newUser(ctx, olivia, { role: 600 });
    const ownChannels = { general: [true, true, true], sandbox: [true, true, true], tips: [true, true, true] };
    expect(await rightsOf(guest)).toEqual(ownChannels);
    await ctx.db.query(`update channel set is_web_public = true where realm_id = $1 and name = 'open'`, [
      olivia.realmId,
    ]);
    expect(await rightsOf(guest)).toEqual({ ...ownChannels, open: [true, true, false] });
  });

  test('after leaving a private channel: nothing, though the received versions are still listed', async () => {
    const iago = await newUser(ctx, olivia);
    await join(ctx, olivia, ['shared'], { principalIds: [iago.userId] });
    const userAndRealm = [iago.userId, olivia.realmId];
    await ctx.db.query(
      `update subscription set is_active = false where user_id = $1 and realm_id = $2
       and channel_id = (select id from channel where realm_id = $2 and name = 'shared')`,
      userAndRealm,
    );
    await ctx.db.query(
      `update subscription_interval set to_version = 3 where user_id = $1 and realm_id = $2
       and channel_id = (select id from channel where realm_id = $2 and name = 'shared')`,
      userAndRealm,
    );
    const { channels } = await getReadFacts(ctx, iago);
    expect(channels.find(({ name }) => name === 'shared')).toMatchObject({
      mayReadHistory: false,
      hasContentAccess: false,
      isSubscribed: false,
      isPublic: false,
      isHidden: true,
      intervals: [{ fromVersion: 2, toVersion: 3 }],
    });
  });
});

test('the facts hold the organization, the reader and their intervals, from one statement', async () => {
  const before = ctx.db.statementCount;
  const { realm, reader, channels } = await getReadFacts(ctx, olivia);
  expect(ctx.db.statementCount - before).toBe(1);
  expect([realm?.id, reader?.id]).toEqual([olivia.realmId, olivia.userId]);
  expect(channels.find(({ name }) => name === 'open')).toEqual({
    channelId: expect.any(Number),
    name: 'open',
    mayReadHistory: true,
    hasContentAccess: true,
    isSubscribed: true,
    isMuted: false,
    isPublic: true,
    isWebPublic: false,
    isArchived: false,
    isHidden: false,
    subscriptionVersion: expect.any(Number),
    intervals: [{ fromVersion: 1 }],
  });
});

test('for given channels they list those that the reader may see', async () => {
  const { channels } = await getReadFacts(ctx, olivia);
  const idOf = (wanted: string) => channels.find(({ name }) => name === wanted)?.channelId as number;
  const member = await newUser(ctx, olivia);
  const asked = { receipts: null, channels: { ids: [idOf('open'), idOf('protected'), -1] } };
  const facts = await getReadFacts(ctx, member, asked);
  expect(facts.channels).toEqual((await getReadFacts(ctx, member)).channels.filter(({ name }) => name === 'open'));
  expect((await getReadFacts(ctx, olivia, { receipts: null, channels: { ids: [] } })).channels).toEqual([]);
  const own = await getReadFacts(ctx, member, { ...asked, channels: { ...asked.channels, withOwn: true } });
  expect(own.channels.map(({ name }) => name)).toEqual(['general', 'sandbox', 'tips', 'open']);
});

test('an unknown reader is an error', async () => {
  const stranger = await newOrganization(ctx);
  await expect(getReadFacts(ctx, { ...stranger, realmId: olivia.realmId })).rejects.toThrow('has no user');
});

test('the facts include muted users, and alert words with the time they were added', async () => {
  const iago = await newUser(ctx, olivia);
  await muteUser(ctx, olivia, { userId: iago.userId });
  await addAlertWords(ctx, olivia, { words: ['lunch'] });
  const { mutedUserIds, alertWords, receiptCandidates } = await getReadFacts(ctx, olivia);
  expect(mutedUserIds).toEqual([iago.userId]);
  expect(alertWords).toEqual([{ word: 'lunch', addedAtMs: ctx.clock.now() }]);
  expect(receiptCandidates).toEqual([]);
});

describe('possible readers of a message', () => {
  let iago: Person;
  let zoe: Person;
  let channelId: number;
  let version: number;

  beforeEach(async () => {
    [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
    await join(ctx, olivia, ['open'], { principalIds: [iago.userId, zoe.userId] });
    const [row] = await ctx.db.query<{ id: number; version: number }>(
      `select id, subscription_version as version from channel where realm_id = $1 and name = 'open'`,
      [olivia.realmId],
    );
    ({ id: channelId, version } = row as { id: number; version: number });
  });

  const candidates = async (reader: Person, query: Partial<ReceiptQuery> = {}) => {
    const sentToChannel = { senderId: olivia.userId, channelId, version, currentChannelId: channelId, userIds: [] };
    return (await getReadFacts(ctx, reader, { receipts: { ...sentToChannel, ...query } })).receiptCandidates;
  };
  const keeping = (userId: number) => ({ userId, isRead: false, keepsReceiving: true });

  test('include subscribers, but not the sender', async () => {
    expect(await candidates(olivia)).toEqual([keeping(iago.userId), keeping(zoe.userId)]);
    expect(await candidates(olivia, { version: version - 1 })).toEqual([]);
  });

  test('include named users', async () => {
    const eve = await newUser(ctx, olivia);
    const named = { userId: eve.userId, isRead: true, keepsReceiving: false };
    expect(await candidates(olivia, { userIds: [eve.userId, iago.userId] })).toEqual([
      keeping(iago.userId),
      keeping(zoe.userId),
      named,
    ]);
    const direct = { senderId: olivia.userId, userIds: [iago.userId] };
    expect((await getReadFacts(ctx, olivia, { receipts: direct })).receiptCandidates).toEqual([keeping(iago.userId)]);
  });

  test('exclude users who lost it when it was moved', async () => {
    const guest = await newUser(ctx, olivia, { role: ROLES.guest });
    await join(ctx, olivia, ['open'], { principalIds: [guest.userId] });
    await join(ctx, olivia, ['protected'], { principalIds: [iago.userId] });
    const channelOf = async (name: string) => {
      const [row] = await ctx.db.query<{ currentChannelId: number; movedVersion: number }>(
        'select id as "currentChannelId", subscription_version as "movedVersion" from channel where realm_id = $1 and name = $2',
        [olivia.realmId, name],
      );
      return row as { currentChannelId: number; movedVersion: number };
    };
    const isMeant = async (name: string) => {
      const found = await candidates(olivia, { version: version + 1, ...(await channelOf(name)) });
      return [iago, zoe, guest].map(({ userId }) => found.some((candidate) => candidate.userId === userId));
    };
    expect(await isMeant('protected')).toEqual([true, false, false]);
    await join(ctx, olivia, ['side']);
    expect(await isMeant('side')).toEqual([true, true, false]);
    const then = await channelOf('protected');
    await join(ctx, olivia, ['protected'], { principalIds: [zoe.userId] });
    const found = await candidates(olivia, { version: version + 1, ...then });
    expect(found.map(({ userId }) => userId)).toEqual([iago.userId]);
  });

  test('exclude users without read receipts, and mutes in either direction', async () => {
    await ctx.db.query(
      `insert into user_settings (realm_id, user_id, chosen) values ($1, $2, '{"send_read_receipts": false}')
       on conflict (realm_id, user_id) do update set chosen = excluded.chosen`,
      [olivia.realmId, iago.userId],
    );
    await muteUser(ctx, iago, { userId: zoe.userId });
    expect(await candidates(olivia)).toEqual([keeping(zoe.userId)]);
    expect(await candidates(iago)).toEqual([]);
    expect(await candidates(zoe)).toEqual([keeping(zoe.userId)]);
  });

  test('has read it when they have muted the sender or left the channel', async () => {
    await muteUser(ctx, iago, { userId: olivia.userId });
    expect(await candidates(zoe)).toEqual([{ ...keeping(iago.userId), isRead: true }, keeping(zoe.userId)]);
    await ctx.db.query(
      'update subscription set is_active = false where realm_id = $1 and channel_id = $2 and user_id = $3',
      [olivia.realmId, channelId, zoe.userId],
    );
    await ctx.db.query(
      'update subscription_interval set to_version = $4 where realm_id = $1 and channel_id = $2 and user_id = $3',
      [olivia.realmId, channelId, zoe.userId, version + 1],
    );
    expect(await candidates(zoe)).toContainEqual({ userId: zoe.userId, isRead: true, keepsReceiving: false });
  });
});

import type { Caller } from '@parley/shared/rpc';
import { join, newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { getReadFacts } from './get-read-facts';

let ctx: TestContext;
let olivia: Person;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  await join(ctx, olivia, ['open']);
  await join(ctx, olivia, ['shared'], { newChannel: { isPrivate: true, isHistoryPublic: true } });
  await join(ctx, olivia, ['protected'], { newChannel: { isPrivate: true } });
});
afterAll(() => ctx.close());

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

describe('what may be read', () => {
  test('by a subscriber: what was received, and the history where it is shared', async () => {
    expect(await rightsOf(olivia)).toEqual({
      general: [true, true, true],
      sandbox: [true, true, true],
      open: [true, true, true],
      shared: [true, true, true],
      protected: [false, true, true],
    });
  });

  test('by a member: public channels, and nothing of private ones, not even that they exist', async () => {
    expect(await rightsOf(await newUser(ctx, olivia))).toEqual({
      general: [true, true, true],
      sandbox: [true, true, true],
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
    const ownChannels = { general: [true, true, true], sandbox: [true, true, true] };
    expect(await rightsOf(guest)).toEqual(ownChannels);
    await ctx.db.query(`update channel set is_web_public = true where realm_id = $1 and name = 'open'`, [
      olivia.realmId,
    ]);
    expect(await rightsOf(guest)).toEqual({ ...ownChannels, open: [true, true, false] });
  });

  test('after leaving a private channel: nothing, though what was received stays known', async () => {
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
    intervals: [{ fromVersion: 1 }],
  });
});

test('in the name of nobody nothing is read', async () => {
  const stranger = await newOrganization(ctx);
  await expect(getReadFacts(ctx, { ...stranger, realmId: olivia.realmId })).rejects.toThrow('has no user');
});

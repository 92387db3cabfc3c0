import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { channelIds, crowd, join, leave, newUser, type Person } from '../../test/examples';
import { listSubscriptions } from '../joining/subscribe';
import { getRegisterState } from '../register/get-register-state';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const list = (person: Person, isGrouped = true) => listSubscriptions(ctx, person, { isGrouped });

test('lists subscriptions of active channels, with their properties', async () => {
  await join(ctx, olivia, ['team', 'left', 'old']);
  await leave(ctx, olivia, ['left', 'general', 'sandbox', 'tips']);
  const { team, old } = (await channelIds(ctx, olivia)) as Record<string, number>;
  await ctx.db.query('update channel set is_archived = true where id = $1', [old]);
  const subscription = { channel: null, color: '#e79ab5', isMuted: false, isPinned: false };
  const group = { isSubscribed: true, subscription };
  expect(await list(olivia)).toEqual({ channels: [], groups: [{ channelIds: [team], ...group }] });
  expect(await list(olivia, false)).toEqual({ channels: [{ channelId: team, ...group }], groups: [] });
});

test('channels with the same properties come together, others apart', async () => {
  await join(ctx, olivia, ['blue', 'red', 'teal']);
  await ctx.db.query(`update subscription set color = '#76ce90', push_notifications = false where user_id = $1`, [
    olivia.userId,
  ]);
  const { general, sandbox, tips, blue, red, teal } = (await channelIds(ctx, olivia)) as Record<string, number>;
  const muting = 'update subscription set is_muted = true where user_id = $1 and channel_id = any($2)';
  await ctx.db.query(muting, [olivia.userId, [blue, red]]);
  const properties = { channel: null, color: '#76ce90', isPinned: false, pushNotifications: false };
  const { groups } = await list(olivia);
  expect([...groups].sort((a, b) => b.channelIds.length - a.channelIds.length)).toEqual([
    {
      channelIds: [general, sandbox, tips, teal],
      isSubscribed: true,
      subscription: { ...properties, isMuted: false },
    },
    { channelIds: [blue, red], isSubscribed: true, subscription: { ...properties, isMuted: true } },
  ]);
});

test('POST /register lists the subscribers of every visible channel, and of no other', async () => {
  const iago = await newUser(ctx, olivia);
  await join(ctx, olivia, ['open', 'left']);
  await join(ctx, olivia, ['closed'], { newChannel: { isPrivate: true } });
  await join(ctx, iago, ['left']);
  await leave(ctx, iago, ['left']);
  const { general, sandbox, tips, open, left } = (await channelIds(ctx, olivia)) as Record<string, number>;
  const { channelSubscribers } = await getRegisterState(ctx, iago, { includesSubscribers: true });
  const byId = Object.fromEntries(channelSubscribers.map(({ channelId, userIds }) => [channelId, userIds]));
  expect(byId).toEqual({
    ...{ [general as number]: [olivia.userId, iago.userId], [sandbox as number]: [olivia.userId, iago.userId] },
    ...{ [tips as number]: [olivia.userId, iago.userId] },
    ...{ [open as number]: [olivia.userId], [left as number]: [olivia.userId] },
  });
});

test('takes the same number of statements for 500 channels and 2,000 users as for two', async () => {
  const count = async (work: () => Promise<unknown>) => {
    const before = ctx.db.statementCount;
    await work();
    return ctx.db.statementCount - before;
  };
  const register = () => getRegisterState(ctx, olivia, { includesSubscribers: true });
  const few = [await count(() => list(olivia)), await count(register)];
  const names = Array.from({ length: 497 }, (_, index) => `c${index}`);
  await join(ctx, olivia, names);
  const principalIds = await crowd(ctx, olivia, 2_000);
  await join(ctx, olivia, names.slice(0, 4), { principalIds });
  expect([await count(() => list(olivia)), await count(register)]).toEqual(few);
  expect((await list(olivia)).groups.flatMap(({ channelIds: ids }) => ids)).toHaveLength(500);
});

import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { channelIds, crowd, join, leave, newUser, type Person } from '../../test/examples';
import { listSubscriptions } from '../joining/subscribe';
import { getRegisterState } from '../register/get-register-state';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const list = (person: Person) => listSubscriptions(ctx, person);

test('lists subscriptions of active channels, with their properties', async () => {
  await join(ctx, olivia, ['team', 'left', 'old']);
  await leave(ctx, olivia, ['left', 'general', 'sandbox', 'tips']);
  const { team, old } = (await channelIds(ctx, olivia)) as Record<string, number>;
  await ctx.db.query('update channel set is_archived = true where id = $1', [old]);
  const subscription = { channel: null, color: '#e79ab5', isMuted: false, isPinned: false };
  expect((await list(olivia)).channels).toEqual([{ channelId: team, isSubscribed: true, subscription }]);
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
  expect((await list(olivia)).channels).toHaveLength(500);
});

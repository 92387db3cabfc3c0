import {
  channelIds,
  crowd,
  join,
  leave,
  newOrganization,
  newUser,
  openContext,
  type Person,
  type TestContext,
} from '../../test/examples';
import { getRegisterState } from '../register/get-register-state';
import { listSubscriptions } from './list-subscriptions';

let ctx: TestContext;
let olivia: Person;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
});
afterAll(() => ctx.close());

const list = (person: Person, includesSubscribers = true) => listSubscriptions(ctx, person, { includesSubscribers });

test('tells what one is subscribed to, and who else is: active users, bots too', async () => {
  const [iago, gone] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  await join(ctx, olivia, ['team', 'left', 'old'], {
    principalIds: [olivia.userId, iago.userId, gone.userId, bot.userId],
  });
  await leave(ctx, olivia, ['left', 'general', 'sandbox', 'tips']);
  const { team, old } = (await channelIds(ctx, olivia)) as Record<string, number>;
  await ctx.db.query('update channel set is_archived = true where id = $1', [old]);
  await ctx.db.query('update user_account set is_active = false where id = $1', [gone.userId]);
  const { subscriptions, subscribers } = await list(olivia);
  expect(subscriptions).toMatchObject([{ channel: { id: team, name: 'team' }, color: '#e79ab5', isMuted: false }]);
  expect(subscribers).toEqual([{ channelId: team, userIds: [olivia.userId, iago.userId, bot.userId] }]);
  expect((await list(olivia, false)).subscribers).toEqual([]);
});

test('POST /register lists the subscribers of every channel that one may know of, and of no other', async () => {
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
  await join(ctx, olivia, names.slice(0, 40), { principalIds: await crowd(ctx, olivia, 2_000) });
  expect([await count(() => list(olivia)), await count(register)]).toEqual(few);
  expect((await list(olivia)).subscriptions).toHaveLength(500);
});

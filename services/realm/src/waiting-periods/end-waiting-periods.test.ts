import { silentLogger } from '@parley/shared/service';
import { newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { payloadsOf } from '../../test/public-events';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { updateRealm } from '../realms/update-realm';
import { endWaitingPeriods } from './end-waiting-periods';
import { keepEndingWaitingPeriods } from './keep-ending-waiting-periods';

const DAY_MS = 24 * 3600_000;
const HOUR_MS = 3600_000;

let ctx: TestContext;
let olivia: Person;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  await setWaitingPeriod(3);
});
afterAll(() => ctx.close());

async function setWaitingPeriod(days: number): Promise<void> {
  const chosen = JSON.stringify({ waiting_period_threshold: days });
  await ctx.db.query('update realm set settings = settings || $2::jsonb where id = $1', [olivia.realmId, chosen]);
}

/** Users who became full members, announcement by announcement. */
async function ended({ realmId }: Person): Promise<number[][]> {
  const { 'role:fullmembers': fullMembersId } = await findSystemGroupIds(ctx.db, realmId);
  const added = await payloadsOf<{ groupId: number; userIds: number[] }>(ctx, olivia, 'group.members-added');
  return added.filter(({ groupId }) => groupId === fullMembersId).map(({ userIds }) => userIds);
}

test('a member whose waiting period has ended is announced as a full member, once', async () => {
  const iago = await newUser(ctx, olivia);
  ctx.clock.advance(3 * DAY_MS - 1);
  await endWaitingPeriods(ctx);
  expect(await ended(olivia)).toEqual([]);
  ctx.clock.advance(1);
  await endWaitingPeriods(ctx);
  expect(await ended(olivia)).toEqual([[iago.userId]]);
  ctx.clock.advance(DAY_MS);
  await endWaitingPeriods(ctx);
  expect(await ended(olivia)).toEqual([[iago.userId]]);
});

test('those of one hour are announced together; owners, guests and the deactivated never wait', async () => {
  const members = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
  await newUser(ctx, olivia, { role: 600 });
  await newUser(ctx, olivia, { role: 200 });
  const gone = await newUser(ctx, olivia);
  await ctx.db.query('update user_account set is_active = false where id = $1', [gone.userId]);
  ctx.clock.advance(HOUR_MS);
  const later = await newUser(ctx, olivia);
  ctx.clock.advance(3 * DAY_MS - HOUR_MS);
  await endWaitingPeriods(ctx);
  ctx.clock.advance(HOUR_MS);
  await endWaitingPeriods(ctx);
  expect(await ended(olivia)).toEqual([members.map(({ userId }) => userId), [later.userId]]);
});

test('a change of the waiting period announces what it changes, and what has ended before it: nobody twice, nobody never', async () => {
  const first = await newUser(ctx, olivia);
  ctx.clock.advance(DAY_MS);
  const second = await newUser(ctx, olivia);
  ctx.clock.advance(2 * DAY_MS + HOUR_MS / 2);
  await updateRealm(ctx, olivia, { settings: JSON.stringify({ waiting_period_threshold: 1 }), groupSettings: {} });
  expect(await ended(olivia)).toEqual([[first.userId], [second.userId]]);
  await endWaitingPeriods(ctx);
  expect(await ended(olivia)).toHaveLength(2);
  const third = await newUser(ctx, olivia);
  ctx.clock.advance(DAY_MS);
  await endWaitingPeriods(ctx);
  expect((await ended(olivia)).slice(2)).toEqual([[third.userId]]);
});

test('organizations without a waiting period, and deactivated ones, are left alone', async () => {
  await newUser(ctx, olivia);
  await setWaitingPeriod(0);
  ctx.clock.advance(4 * DAY_MS);
  await endWaitingPeriods(ctx);
  await setWaitingPeriod(3);
  await ctx.db.query('update realm set is_deactivated = true where id = $1', [olivia.realmId]);
  await endWaitingPeriods(ctx);
  expect(await ended(olivia)).toEqual([]);
});

test('replicas that all do it at once announce it once', async () => {
  const iago = await newUser(ctx, olivia);
  ctx.clock.advance(4 * DAY_MS);
  await Promise.all(Array.from({ length: 4 }, () => endWaitingPeriods(ctx)));
  expect(await ended(olivia)).toEqual([[iago.userId]]);
});

test('is done every hour until it is stopped', async () => {
  const iago = await newUser(ctx, olivia);
  ctx.clock.advance(3 * DAY_MS - HOUR_MS / 2);
  const stops = [1, 2].map(() => keepEndingWaitingPeriods({ db: ctx.db, clock: ctx.clock, log: silentLogger }));
  ctx.clock.advance(HOUR_MS);
  await Promise.all(stops.map((stop) => stop()));
  expect(await ended(olivia)).toEqual([[iago.userId]]);
  await newUser(ctx, olivia);
  ctx.clock.advance(10 * DAY_MS);
  expect(await ended(olivia)).toHaveLength(1);
});

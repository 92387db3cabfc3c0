import { type Bus, connectBus } from '@parley/shared/bus';
import { type ClientView, type PresenceChanged, presenceChanged } from '@parley/shared/events';
import type { ListPresencesRequest } from '@parley/shared/proto';
import { silentLogger } from '@parley/shared/service';
import { testPrefix, testServers } from '@parley/shared/testing';
import { asCaller, makeBot } from '../../test/bots';
import { newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { restrictGuests } from '../../test/restrict-guests';
import { updateUserStatus } from '../personal/statuses';
import { storeChosenSettings } from '../user-settings/user-settings.sql';
import { deactivateUser } from '../users/deactivate-user';
import { followPresenceSetting, getPresence, joinReports, listPresences, reportPresence } from './presence';

let ctx: TestContext;
let bus: Bus;
let olivia: Person;
let iago: Person;
let storeReport: ReturnType<typeof joinReports>;

beforeAll(async () => {
  bus = await connectBus({ url: testServers().natsUrl, prefix: testPrefix(), name: 'test', log: silentLogger });
  await bus.ensureStream();
  ctx = { ...(await openContext()), bus };
  storeReport = joinReports(ctx);
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  iago = await newUser(ctx, olivia);
});
afterAll(async () => {
  await bus.jsm.streams.delete(bus.stream);
  await bus.connection.close();
  await ctx.close();
});

const ALL: ListPresencesRequest = { withEmails: false };
const seconds = (count: number) => ctx.clock.advance(count * 1000);
const report = (caller: Person, isActive = true, list: ListPresencesRequest | null = ALL) =>
  reportPresence(ctx, caller, { isActive, list }, storeReport);
const list = (caller: Person, request: Partial<ListPresencesRequest> = {}) =>
  listPresences(ctx, caller, { ...ALL, ...request });
const timesOf = async (person: Person) => {
  const { presences } = await list(olivia, { historyLimitDays: 1_000_000 });
  const found = presences.find(({ userId }) => userId === person.userId);
  const ago = (ms: number) => (ctx.clock.now() - ms) / 1000;
  return found && [ago(found.activeAtMs), ago(found.connectedAtMs)];
};

/** The ephemeral events of an organization from now on. */
function listen({ realmId }: Person): { announced(): Promise<PresenceChanged[]> } {
  const heard: PresenceChanged[] = [];
  const subscription = bus.connection.subscribe(bus.subject(realmId, presenceChanged.kind), {
    callback: (_error, message) => heard.push(...(message.json<{ payloads: PresenceChanged[] }>().payloads ?? [])),
  });
  return {
    async announced() {
      await bus.connection.flush();
      subscription.unsubscribe();
      return heard;
    },
  };
}

describe('a report of presence', () => {
  test('stores when the user was active and connected, at most once in 55 seconds', async () => {
    await report(iago);
    expect(await timesOf(iago)).toEqual([0, 0]);
    seconds(50);
    await report(iago);
    expect(await timesOf(iago)).toEqual([50, 50]);
    seconds(6);
    await report(iago, false);
    expect(await timesOf(iago)).toEqual([56, 0]);
    seconds(1);
    await report(iago, true);
    expect(await timesOf(iago)).toEqual([0, 0]);
  });

  test('stores the day of joining for a user who was never active', async () => {
    seconds(100);
    await report(iago, false);
    const { presences } = await list(olivia);
    const [row] = await ctx.db.query<{ joinedAtMs: number }>(
      'select created_at as "joinedAtMs" from user_account where id = $1',
      [iago.userId],
    );
    const { userId } = iago;
    const activeAtMs = Math.min(row?.joinedAtMs as number, ctx.clock.now());
    expect(presences).toEqual([{ userId, activeAtMs, connectedAtMs: ctx.clock.now() }]);
  });

  test('stores nothing for users who hide it, and for bots', async () => {
    await updateUserStatus(ctx, iago, { isAway: true });
    seconds(1_000);
    const before = await timesOf(iago);
    const { presences } = await report(iago);
    expect(await timesOf(iago)).toEqual(before);
    expect(presences).toHaveLength(1);
    const bot = asCaller(olivia, await makeBot(ctx, olivia));
    await expect(report(bot)).rejects.toThrow('This endpoint does not accept bot requests.');
  });

  test('by a user who hides it at the same moment leaves them offline', async () => {
    await report(iago);
    seconds(140);
    const heard = listen(iago);
    let reporting: Promise<unknown> | undefined;
    await ctx.db.transaction(async (tx) => {
      await storeChosenSettings(tx, iago.realmId, iago.userId, { presence_enabled: false });
      await followPresenceSetting(tx, iago, { isShown: false, audience: { to: 'realm' }, nowMs: ctx.clock.now() });
      reporting = report(iago);
      const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await ctx.db.query(waiting)).length === 0);
    });
    await reporting;
    expect((await timesOf(iago))?.[1]).toBe(320);
    expect(await heard.announced()).toEqual([]);
  });

  test('is stored in one statement with concurrent ones', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => newUser(ctx, olivia)));
    // Coming online is announced, which costs more; staying online is not.
    await Promise.all(people.map((person) => report(person, true, null)));
    seconds(60);
    const before = ctx.db.statementCount;
    await Promise.all(people.map((person) => report(person, true, null)));
    expect(ctx.db.statementCount - before).toBe(1);
    for (const person of people) expect(await timesOf(person)).toEqual([0, 0]);
  });
});

describe('listed presences', () => {
  test('are those changed since an update, or within some days', async () => {
    expect(await list(olivia)).toMatchObject({ presences: [], lastUpdateId: -1 });
    const { lastUpdateId: first } = await report(iago);
    expect(first).toBeGreaterThan(0);
    expect(await list(olivia, { lastUpdateId: first })).toMatchObject({ presences: [], lastUpdateId: first });
    await report(olivia);
    const changed = await list(olivia, { lastUpdateId: first, historyLimitDays: 0 });
    expect(changed.presences.map(({ userId }) => userId)).toEqual([olivia.userId]);
    expect(changed.lastUpdateId).toBeGreaterThan(first);
    expect(await list(olivia, { lastUpdateId: -1 })).toMatchObject({ lastUpdateId: changed.lastUpdateId });
    expect(await list(olivia, { historyLimitDays: 0 })).toMatchObject({ presences: [], lastUpdateId: -1 });
    seconds(15 * 24 * 3600);
    expect((await list(olivia)).presences).toEqual([]);
    expect((await list(olivia, { historyLimitDays: 16 })).presences).toHaveLength(2);
  });

  test('leave out deactivated users', async () => {
    await report(iago);
    await ctx.db.query('update user_account set is_active = false where id = $1', [iago.userId]);
    expect((await list(olivia)).presences).toEqual([]);
  });

  test('have the addresses of visible users only', async () => {
    const guest = await newUser(ctx, olivia, { role: 600 });
    await restrictGuests(ctx, olivia);
    await ctx.db.query('update subscription set is_active = false where realm_id = $1 and user_id = $2', [
      olivia.realmId,
      iago.userId,
    ]);
    await report(iago);
    await report(guest);
    expect((await list(guest)).presences).toHaveLength(2);
    const known = (await list(guest, { withEmails: true })).presences;
    expect(known.map(({ email }) => email)).toEqual([guest.email]);
    const all = (await list(olivia, { withEmails: true })).presences;
    expect(all.map(({ email }) => email).sort()).toEqual([guest.email, iago.email].sort());
  });
});

describe('a list that many share', () => {
  test('has everybody with their addresses, or what has changed while no account has', async () => {
    const { lastUpdateId: first } = await report(iago);
    const whole = await list(olivia, { knownVersion: '', historyLimitDays: 1 });
    expect(whole.presences.map(({ email }) => email)).toEqual([iago.email]);
    expect(whole.lastUpdateId).toBe(first);
    await report(olivia);
    const known = { knownVersion: whole.version as string, lastUpdateId: first };
    const changed = await list(olivia, known);
    expect(changed.presences.map(({ email }) => email)).toEqual([olivia.email]);
    expect(changed.version).toBe(whole.version);
    await deactivateUser(ctx, olivia, { userId: iago.userId });
    const later = await list(olivia, known);
    expect(later.presences.map(({ email }) => email)).toEqual([olivia.email]);
    expect(later.version).not.toBe(whole.version);
  });

  test('is not for guests, who get their whole own one', async () => {
    const guest = await newUser(ctx, olivia, { role: 600 });
    await restrictGuests(ctx, olivia);
    const { lastUpdateId } = await report(guest);
    const own = await list(guest, { knownVersion: '1/2', lastUpdateId, withEmails: true });
    expect(own.version).toBeUndefined();
    expect(own.presences.map(({ email }) => email)).toEqual([guest.email]);
  });
});

describe('immediate announcements', () => {
  test('are made for a user who comes online first, or active after 130 seconds', async () => {
    const { announced } = listen(olivia);
    await report(iago, false);
    seconds(60);
    await report(iago, false);
    await report(iago, true);
    seconds(125);
    await report(iago, true);
    seconds(131);
    await report(iago, false);
    await report(iago, true);
    const times = (await announced()).map(({ presence }) => presence.connectedAtMs - presence.activeAtMs);
    expect(times).toHaveLength(3);
    expect(times.slice(1)).toEqual([0, 0]);
  });

  test('are not made for more than a hundred users', async () => {
    await ctx.db.query(
      `insert into user_account (realm_id, delivery_email, email, full_name, full_name_key, role, created_at)
       select $1, 'n' || n || '@example.com', 'n' || n || '@example.com', 'n' || n, 'n' || n, 400, now()
       from generate_series(1, 99) n`,
      [olivia.realmId],
    );
    const { announced } = listen(olivia);
    await report(iago);
    expect(await announced()).toEqual([]);
    expect(await timesOf(iago)).toEqual([0, 0]);
    await updateUserStatus(ctx, iago, { isAway: true });
    expect(await publicEvents(ctx, olivia, 'presence')).toHaveLength(1);
  });
});

describe('hidden presence', () => {
  test('makes a user offline for everybody, and shown again when that ends', async () => {
    await report(iago);
    await updateUserStatus(ctx, iago, { isAway: true });
    expect((await timesOf(iago))?.[1]).toBe(320);
    await updateUserStatus(ctx, iago, { isAway: false });
    expect(await timesOf(iago)).toEqual([0, 0]);
    const [gone, back] = await publicEvents(ctx, olivia, 'presence');
    const now = ctx.clock.now() / 1000;
    const event = { type: 'presence', user_id: iago.userId, email: iago.email, server_timestamp: now };
    const website = { client: 'website', pushable: false };
    expect(gone?.event).toMatchObject({ ...event, presence: { website: { ...website, timestamp: now - 320 } } });
    expect(back?.event).toEqual({ ...event, presence: { website: { ...website, status: 'active', timestamp: now } } });
  });
});

test('a presence is found by id or address', async () => {
  await report(iago);
  const userId = iago.userId;
  expect(await getPresence(ctx, olivia, { user: { id: userId } })).toMatchObject({ userId });
  expect(await getPresence(ctx, olivia, { user: { email: iago.email } })).toMatchObject({ userId });
  const bot = await makeBot(ctx, olivia);
  const refused = (id: number) => expect(getPresence(ctx, iago, { user: { id } })).rejects;
  await refused(bot.bot?.user?.id as number).toThrow('Presence is not supported for bot users.');
  await refused(olivia.userId).toThrow(`No presence data for ${olivia.userId}`);
  await refused(2 ** 50).toThrow('No such user');
  await ctx.db.query('update user_account set is_active = false where id = $1', [olivia.userId]);
  await refused(olivia.userId).toThrow('No such user');
});

describe('the event', () => {
  const view: ClientView = {
    applyMarkdown: true,
    clientGravatar: true,
    isEmptyTopicUnderstood: true,
    capabilities: [],
  };
  const payload: PresenceChanged = {
    presence: { userId: 7, activeAtMs: 1_000_000, connectedAtMs: 1_071_000 },
    email: 'user7@example.com',
    audience: { to: 'realm', exceptIds: [9] },
    toldAtMs: 1_072_500,
  };
  const website = { client: 'website', status: 'idle', timestamp: 1_071, pushable: false };
  const legacy = { type: 'presence', user_id: 7, server_timestamp: 1_072.5, presence: { website } };

  test.each<[string[], object, object]>([
    [[], { ...legacy, email: 'user7@example.com' }, { to: 'realm', exceptIds: [9] }],
    [['slim_presence'], legacy, { to: 'realm' }],
    [
      ['slim_presence', 'simplified_presence_events'],
      { type: 'presence', presences: { 7: { active_timestamp: 1_000, idle_timestamp: 1_071 } } },
      { to: 'realm' },
    ],
  ])('for clients that understand %j', (capabilities, event, audience) => {
    const seenBy = { ...view, capabilities };
    const shapes = presenceChanged.publicShapes.filter((shape) => shape.isFor?.(payload, seenBy) !== false);
    expect(shapes.map((shape) => [shape.render(payload, seenBy), shape.audience(payload)])).toEqual([
      [event, audience],
    ]);
  });
});

import type { Database } from '@parley/shared/db';
import { ServiceUnavailableError } from '@parley/shared/errors';
import { type ClaimedJob, claimDueJobs, type DueJobs, startDueJobs } from '@parley/shared/jobs';
import { parseAllowList } from '@parley/shared/outside-http';
import type { Message, PushFacts } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { createFakeClock, observed, rowsReadIn, type TestDatabase } from '@parley/shared/testing';
import { openTestDatabase } from '../../test/open-test-database';
import type { Context } from '../context';
import type { Carried } from './carriers';
import type { Note } from './compose-note';
import { deliverPushes, pushJobs } from './deliver-pushes';
import { JOB_KIND } from './push';
import { deleteOldPushes, markChanged } from './push.sql';
import { addPushDevice, listWebPushSubscriptions, removePushDevice } from './push-devices';
import { createPushStore } from './push-store';
import { queuePushes } from './queue-pushes';
import { followFlags, followRevokedKeys } from './take-back';
import { testPush } from './test-push';
import { vapidPublicKey } from './web-push';

const HOUR_MS = 3_600_000;
const clock = createFakeClock();
const privateKey = Buffer.alloc(32, 7).toString('base64url');
const config = {
  EXTERNAL_HOST: 'parley.test',
  VAPID_PRIVATE_KEY: privateKey,
  PUSH_GATEWAY_URL: 'https://gateway.test',
  OUTGOING_ALLOW: parseAllowList('127.0.0.1'),
  PUSHES_AT_ONCE: 8,
} as Context['config'];
const p256dh = vapidPublicKey(privateKey);
const auth = Buffer.alloc(16, 1).toString('base64url');
const started: DueJobs[] = [];
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.db;
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((jobs) => jobs.stop()));
  await db.query('truncate due_job, push, push_device');
});
afterAll(() => database.close());

/** Fakes of the other services and of those who carry notifications. */
function world() {
  const sent: { to: string; note: Note }[] = [];
  const facts: PushFacts = {
    ...{ language: 'en', realmName: 'Acme', subdomain: '', showsDirectContent: true, requiresEncryption: false },
  };
  const state = {
    answers: [] as Carried[],
    messages: new Map<number, Message>(),
    endedKeys: new Set<number>(),
    facts,
    isAway: false,
    /** Called while messages are loaded. */
    meanwhile: async () => {},
  };
  const carrier = async ({ token }: { token: string }, note: Note): Promise<Carried> => {
    sent.push({ to: token, note });
    return state.answers.shift() ?? { kind: 'sent' };
  };
  const services = {
    realm: {
      getPushFacts: async (_call: unknown, { apiKeyId }: { apiKeyId: number }) =>
        state.endedKeys.has(apiKeyId) ? {} : { facts: state.facts },
    },
    messages: {
      getMessages: async (_caller: Caller, { messageIds }: { messageIds: number[] }) => {
        if (state.isAway) throw new ServiceUnavailableError();
        const messages = messageIds.flatMap((id) => state.messages.get(id) ?? []);
        await state.meanwhile();
        return { messages };
      },
    },
  } as unknown as Context['services'];
  const pushCarriers = { web: carrier, apns: carrier, fcm: carrier };
  const dueJobs = { pushes: { wake() {} } } as unknown as Context['dueJobs'];
  const base = { db, bus: undefined as never, clock, log: silentLogger, config, services, outside: undefined as never };
  const ctx: Context = { ...base, pushCarriers, dueJobs };
  const write = (id: number, topic = 'lunch') =>
    state.messages.set(id, {
      ...{ id, channelId: 5, channelName: 'general', topic, participants: [], flags: ['mentioned'], sentAtMs: 0 },
      ...{ sender: { id: 9, fullName: 'Bo' }, renderedContent: `<p>text ${id}</p>` },
    } as unknown as Message);
  const read = (id: number) => state.messages.set(id, { ...(state.messages.get(id) as Message), flags: ['read'] });
  return { ctx, sent, state, write, read };
}

type World = ReturnType<typeof world>;

const person = (userId: number): Caller => ({ realmId: 1, userId }) as Caller;
const browser = (name: string) => ({ kind: 'web', token: `https://push.test/${name}`, p256dh, auth, apiKeyId: 1 });
const phone = (token: string) => ({ kind: 'fcm', token, apiKeyId: 1 });

async function push({ ctx, write }: World, userIds: number[], messageId: number, topic?: string): Promise<number> {
  if (!ctx.services) return 0;
  write(messageId, topic);
  const pushed = { userIds, messageId, trigger: 'mention', channelId: 5 };
  return db.transaction((tx) => queuePushes(ctx, tx, 1, [pushed]));
}

function start({ ctx }: World): DueJobs {
  const definition = pushJobs(ctx, () => jobs.wake());
  const jobs: DueJobs = startDueJobs({ db, clock, log: silentLogger }, definition);
  started.push(jobs);
  return jobs;
}

const claim = () => claimDueJobs(db, { kind: JOB_KIND, nowMs: clock.now(), leaseMs: 60_000, limit: 10 });
const bodies = ({ sent }: World) => sent.map(({ note }) => (note.type === 'show' ? note.body : `close ${note.tag}`));
const rows = (table: string) => db.query(`select * from ${table}`);
const markRead = ({ ctx, read }: World, userId: number, messageIds: number[]) => {
  for (const id of messageIds) read(id);
  const payload = { userId, op: 'add' as const, flag: 'read', messageIds, isAll: false };
  return followFlags(ctx, [{ realmId: 1, id: 'messages:1', payload } as never]);
};

/** One after the other, as the jobs of one replica with nothing else to do. */
async function deliver({ ctx }: World): Promise<void> {
  const store = createPushStore(ctx);
  for (const job of await claim()) await deliverPushes(ctx, store, job);
}

test('a message notifies the devices of its people, and costs nothing for those who have none', async () => {
  const w = world();
  await addPushDevice(w.ctx, person(1), browser('ann'));
  await addPushDevice(w.ctx, person(1), phone('ann'));
  expect(await push(w, [1, 2, 3], 10)).toBe(2);
  expect(await rows('due_job')).toHaveLength(2);
  await start(w).runOnce();
  expect(w.sent.map(({ to }) => to).sort()).toEqual(['ann', 'https://push.test/ann']);
  expect(bodies(w)).toEqual(['Bo: text 10', 'Bo: text 10']);
  expect(await rows('due_job')).toEqual([]);
  expect(await push(w, [1], 10)).toBe(0);
});

test('what is switched off is not queued', async () => {
  const w = world();
  await addPushDevice(w.ctx, person(1), browser('ann'));
  await addPushDevice(w.ctx, person(1), phone('ann'));
  const { VAPID_PRIVATE_KEY: _, ...rest } = config;
  w.ctx.config = rest as Context['config'];
  expect(await push(w, [1], 10)).toBe(1);
  w.ctx.config = {} as Context['config'];
  expect(await push(w, [1], 11)).toBe(0);
});

test('a storm is one delivery in five seconds', async () => {
  const w = world();
  await addPushDevice(w.ctx, person(1), browser('ann'));
  await push(w, [1], 10);
  await deliver(w);
  for (let id = 11; id < 111; id++) await push(w, [1], id);
  await deliver(w);
  expect(w.sent).toHaveLength(1);
  clock.advance(5_000);
  await deliver(w);
  expect(bodies(w)).toEqual(['Bo: text 10', expect.stringMatching(/^46 more messages\nBo: text 107\n/)]);
  expect(await rows('push')).toHaveLength(50);
  expect(await rows('due_job')).toEqual([]);
});

test('what was read before is not sent', async () => {
  const w = world();
  await addPushDevice(w.ctx, person(1), browser('ann'));
  await push(w, [1], 10);
  w.read(10);
  await deliver(w);
  expect(w.sent).toEqual([]);
  expect(await rows('push')).toEqual([]);
});

test('a notification is taken back when it is read, from devices that show it', async () => {
  const w = world();
  await addPushDevice(w.ctx, person(1), browser('ann'));
  await addPushDevice(w.ctx, person(2), browser('bea'));
  await push(w, [1, 2], 10);
  await push(w, [1], 11, 'soup');
  await deliver(w);
  w.sent.length = 0;
  clock.advance(5_000);
  await markRead(w, 1, [10, 99]);
  await deliver(w);
  expect(w.sent).toEqual([{ to: 'https://push.test/ann', note: { type: 'close', tag: 'channel/5/lunch' } }]);
  expect(await markRead(w, 3, [10])).toBeUndefined();
  expect(await claim()).toEqual([]);
});

test('a message that is read while it is sent is taken back afterwards', async () => {
  const w = world();
  await addPushDevice(w.ctx, person(1), browser('ann'));
  await push(w, [1], 10);
  w.state.meanwhile = async () => {
    w.state.meanwhile = async () => {};
    await markRead(w, 1, [10]);
  };
  await deliver(w);
  clock.advance(5_000);
  await deliver(w);
  expect(bodies(w)).toEqual(['Bo: text 10', 'close channel/5/lunch']);
  expect(await rows('push')).toEqual([]);
});

test('a message that comes while another is sent is not lost', async () => {
  const w = world();
  await addPushDevice(w.ctx, person(1), browser('ann'));
  await push(w, [1], 10);
  w.state.meanwhile = async () => {
    w.state.meanwhile = async () => {};
    await push(w, [1], 11);
  };
  await deliver(w);
  clock.advance(5_000);
  await deliver(w);
  expect(bodies(w)).toEqual(['Bo: text 10', 'Bo: text 10\nBo: text 11']);
  expect(await rows('due_job')).toEqual([]);
});

test('a push service that is out of order is asked again, later each time and when it says', async () => {
  const w = world();
  await addPushDevice(w.ctx, person(1), browser('ann'));
  await push(w, [1], 10);
  w.state.answers = [
    { kind: 'retry', reason: 'status 503', afterMs: 0 },
    { kind: 'retry', reason: 'status 429', afterMs: HOUR_MS },
  ];
  await deliver(w);
  await deliver(w);
  expect(w.sent).toHaveLength(1);
  clock.advance(7_000);
  await deliver(w);
  clock.advance(HOUR_MS - 1);
  await deliver(w);
  expect(w.sent).toHaveLength(2);
  clock.advance(1);
  await deliver(w);
  expect(w.sent).toHaveLength(3);
  expect(await rows('due_job')).toEqual([]);
});

test('after a day nothing is shown any more', async () => {
  const w = world();
  await addPushDevice(w.ctx, person(1), browser('ann'));
  await push(w, [1], 10);
  clock.advance(24 * HOUR_MS);
  await deliver(w);
  expect(w.sent).toEqual([]);
  expect(await rows('due_job')).toEqual([]);
});

test('a device that is gone is forgotten, with all that waits for it', async () => {
  const w = world();
  await addPushDevice(w.ctx, person(1), browser('old'));
  await addPushDevice(w.ctx, person(1), browser('new'));
  await push(w, [1], 10);
  w.state.answers = [{ kind: 'gone' }];
  await deliver(w);
  expect(await rows('push_device')).toHaveLength(1);
  expect(await rows('push')).toHaveLength(1);
  expect(await rows('due_job')).toEqual([]);
});

test('a notification that is refused is given up, others are not', async () => {
  const w = world();
  await addPushDevice(w.ctx, person(1), browser('ann'));
  await push(w, [1], 10);
  w.state.answers = [{ kind: 'refused', reason: 'status 413' }];
  await deliver(w);
  expect(await rows('due_job')).toEqual([]);
  expect(await rows('push_device')).toHaveLength(1);
});

test('while messages are unreachable a delivery waits', async () => {
  const w = world();
  await addPushDevice(w.ctx, person(1), browser('ann'));
  await push(w, [1], 10);
  w.state.isAway = true;
  const jobs = start(w);
  await jobs.runOnce();
  w.state.isAway = false;
  clock.advance(500);
  await jobs.runOnce();
  expect(bodies(w)).toEqual(['Bo: text 10']);
});

test('a replica that lost its lease stores nothing', async () => {
  const w = world();
  await addPushDevice(w.ctx, person(1), browser('ann'));
  await push(w, [1], 10);
  const [lost] = (await claim()) as [ClaimedJob];
  clock.advance(60_000);
  const [taken] = (await claim()) as [ClaimedJob];
  await deliverPushes(w.ctx, createPushStore(w.ctx), lost);
  expect(await db.query('select tag from push')).toEqual([{ tag: null }]);
  await deliverPushes(w.ctx, createPushStore(w.ctx), taken);
  expect(await db.query('select tag from push')).toEqual([{ tag: 'channel/5/lunch' }]);
});

describe('a device ends', () => {
  test('with the key or session that registered it, once that is known', async () => {
    const w = world();
    await addPushDevice(w.ctx, person(1), { ...browser('a'), apiKeyId: 1 });
    await addPushDevice(w.ctx, person(1), { ...browser('b'), apiKeyId: 2 });
    const payload = { userId: 1, keyIds: [1] };
    await followRevokedKeys(w.ctx, [{ realmId: 1, id: 'realm:1', payload } as never]);
    const { subscriptions } = await listWebPushSubscriptions(w.ctx, person(1));
    expect(subscriptions).toMatchObject([{ endpoint: 'https://push.test/b' }]);
  });

  test('before it gets anything else', async () => {
    const w = world();
    await addPushDevice(w.ctx, person(1), { ...browser('a'), apiKeyId: 1 });
    await push(w, [1], 10);
    w.state.endedKeys.add(1);
    await deliver(w);
    expect(w.sent).toEqual([]);
    expect(await rows('push_device')).toEqual([]);
    expect(await rows('push')).toEqual([]);
    expect(await rows('due_job')).toEqual([]);
  });

  test('when it is removed', async () => {
    const w = world();
    await addPushDevice(w.ctx, person(1), browser('a'));
    const removed = { kind: 'web', token: 'https://push.test/a' };
    await expect(removePushDevice(w.ctx, person(2), removed)).rejects.toThrow('Token does not exist');
    await removePushDevice(w.ctx, person(1), removed);
    await expect(removePushDevice(w.ctx, person(1), removed)).rejects.toMatchObject({
      name: 'NothingToDoError',
      message: 'Token does not exist',
    });
  });

  test('when another person uses the browser', async () => {
    const w = world();
    await addPushDevice(w.ctx, person(1), browser('a'));
    await addPushDevice(w.ctx, person(2), browser('a'));
    expect(await db.query('select user_id as id from push_device')).toEqual([{ id: 2 }]);
  });

  test('when there are too many', async () => {
    const w = world();
    await addPushDevice(w.ctx, person(1), phone('first'));
    for (let n = 0; n < 21; n++) {
      clock.advance(1_000);
      await addPushDevice(w.ctx, person(1), browser(`${n}`));
    }
    const { subscriptions } = await listWebPushSubscriptions(w.ctx, person(1));
    expect(subscriptions).toHaveLength(20);
    expect(subscriptions[0]).toMatchObject({ endpoint: 'https://push.test/1' });
    expect(await rows('push_device')).toHaveLength(21);
  });
});

describe('registering', () => {
  test.each([
    [{ kind: 'pager', token: 'x', apiKeyId: 1 }, 'Invalid kind of device'],
    [{ ...browser('a'), token: 'ftp://push.test' }, 'Invalid endpoint'],
    [{ ...browser('a'), token: 'http://push.test/a' }, 'Invalid endpoint'],
    [{ ...browser('a'), token: 'https://a:b@push.test/' }, 'Invalid endpoint'],
    [{ ...browser('a'), token: `https://push.test/${'a'.repeat(2_048)}` }, 'Invalid endpoint'],
    [{ ...browser('a'), p256dh: 'AAAA' }, 'Invalid p256dh'],
    [{ ...browser('a'), p256dh: `${p256dh.slice(1)}` }, 'Invalid p256dh'],
    [{ ...browser('a'), auth: 'AAAA' }, 'Invalid auth'],
    [{ ...browser('a'), auth: 'no base64' }, 'Invalid auth'],
    [phone(''), 'Empty or invalid length token'],
    [phone('x'.repeat(4_097)), 'Empty or invalid length token'],
    [phone('a\0'), 'Invalid characters in token'],
    [{ ...phone(''), kind: 'apns', appId: 'a b' }, 'Invalid app ID'],
    [{ ...phone('a'), kind: 'apns', appId: 'x'.repeat(256) }, 'Invalid app ID'],
    [{ ...phone('no token'), kind: 'apns', appId: 'a' }, 'Invalid APNS token'],
    [{ ...phone('abc'), kind: 'apns', appId: 'a' }, 'Invalid APNS token'],
  ])('refuses %j', async (wrong, message) => {
    await expect(addPushDevice(world().ctx, person(1), wrong)).rejects.toThrow(message);
  });

  test('own networks are allowed by http', async () => {
    await addPushDevice(world().ctx, person(1), { ...browser('a'), token: 'http://127.0.0.1:4000/a' });
    expect(await rows('push_device')).toHaveLength(1);
  });

  test('browsers need a server with a key', async () => {
    const w = world();
    w.ctx.config = { OUTGOING_ALLOW: config.OUTGOING_ALLOW } as Context['config'];
    await expect(addPushDevice(w.ctx, person(1), browser('a'))).rejects.toMatchObject({
      code: 'PUSH_SERVICE_NOT_CONFIGURED',
    });
    expect(await listWebPushSubscriptions(w.ctx, person(1))).toEqual({ subscriptions: [] });
    await addPushDevice(w.ctx, person(1), phone('a'));
  });

  test('the key for browsers is that of the server', async () => {
    const { applicationServerKey } = await listWebPushSubscriptions(world().ctx, person(1));
    expect(applicationServerKey).toBe(p256dh);
  });
});

describe('a test notification', () => {
  test('reaches all phones, or one device', async () => {
    const w = world();
    await addPushDevice(w.ctx, person(1), phone('a'));
    await addPushDevice(w.ctx, person(1), browser('b'));
    w.state.facts.language = 'de';
    await testPush(w.ctx, person(1), {});
    await testPush(w.ctx, person(1), { token: 'https://push.test/b' });
    expect(w.sent.map(({ to }) => to)).toEqual(['a', 'https://push.test/b']);
    expect(bodies(w)[0]).toBe('Benachrichtigungen erreichen dieses Gerät.');
  });

  test('tells when it could not be sent', async () => {
    const w = world();
    await addPushDevice(w.ctx, person(1), phone('a'));
    w.state.answers = [{ kind: 'retry', reason: 'x', afterMs: 0 }, { kind: 'gone' }];
    await expect(testPush(w.ctx, person(1), {})).rejects.toThrow('The push service did not take the notification.');
    await expect(testPush(w.ctx, person(1), { token: 'a' })).rejects.toMatchObject({
      code: 'INVALID_PUSH_DEVICE_TOKEN',
    });
    await expect(testPush(w.ctx, person(1), { token: 'a' })).rejects.toMatchObject({
      code: 'INVALID_PUSH_DEVICE_TOKEN',
    });
    const pushCarriers = { web: null, apns: null, fcm: null };
    const off = { ...w.ctx, pushCarriers };
    await expect(testPush(off, person(1), {})).rejects.toMatchObject({ code: 'PUSH_SERVICE_NOT_CONFIGURED' });
  });
});

test('an event reads the pushes that it is about, of however many', async () => {
  await db.query(
    `insert into push (realm_id, device_id, message_id, user_id, channel_id, trigger, queued_at)
     select 1, n / 5, 1000 + n % 2000, n / 5, 5, 'mention', to_timestamp($1 / 1000.0) from generate_series(5, 20000) n`,
    [clock.now()],
  );
  await db.query('vacuum analyze push, push_device');
  const { sql, plans } = observed(db);
  for (const about of [{ userIds: [7] }, { messageIds: [1040] }, { userIds: [7], messageIds: [1036, 1040] }]) {
    await markChanged(sql, 1, about, clock.now());
  }
  await markChanged(sql, 1, { userIds: [7], channelId: 5 }, clock.now());
  await deleteOldPushes(sql, clock.now() - HOUR_MS, 100);
  expect(rowsReadIn(plans)).toBeLessThan(200);
  const due = await db.query('select device_id from push where revision > 1 group by 1 having max(revision) > 3');
  expect(due).toEqual([{ device_id: 7 }]);
});

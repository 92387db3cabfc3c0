import { type Bus, connectBus, type LeaseEnding, tellHolders } from '@parley/shared/bus';
import type { HoldLeasesRequest, HoldLeasesResponse } from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { createFakeClock, testPrefix, testServers, until } from '@parley/shared/testing';
import { systemClock } from '@parley/shared/values';
import { ReaderLeases } from './reader-leases';

/** Renewals are on time; leases last by another clock. */
const fake = createFakeClock();
const clock = { now: fake.now, after: systemClock.after };
const caller: Caller = { ...newCall(), realmId: 1, userId: 7 };
const LEASE = { version: 'a', usersVersion: 'b' };

let bus: Bus;
let leases: ReaderLeases;
let asked: HoldLeasesRequest[];
/** Realm's answer to renewals. */
let answer: () => Promise<HoldLeasesResponse>;

beforeAll(async () => {
  bus = await connectBus({ url: testServers().natsUrl, prefix: testPrefix(), name: 'test', log: silentLogger });
});
afterAll(() => bus.close());

beforeEach(() => {
  asked = [];
  answer = async () => ({ lastsMs: 60_000 });
  const holdLeases = async (_call: unknown, request: HoldLeasesRequest) => {
    asked.push(request);
    return answer();
  };
  leases = new ReaderLeases({ realm: { holdLeases } as never, bus, clock });
});
afterEach(() => {
  jest.restoreAllMocks();
  answer = async () => ({});
  return leases.stop();
});

const untilHolder = () =>
  until(async () => {
    leases.recall(caller);
    return leases.ask(caller) !== undefined;
  });

/** Leases the facts about somebody. */
function lease(person: Caller = caller): void {
  leases.ask(person)?.keep(LEASE, 60_000);
}

async function end(...endings: LeaseEnding[]): Promise<void> {
  expect(await tellHolders(bus, [asked[0]?.holderId as string], endings)).toEqual([]);
}

test('a replica is no holder before realm has said so, nor where realm refuses', async () => {
  answer = async () => ({});
  expect(leases.ask(caller)).toBeUndefined();
  leases.recall(caller);
  await until(async () => asked.length > 0);
  expect(leases.ask(caller)).toBeUndefined();
});

test('a lease is recalled for its reader, for as long as it lasts', async () => {
  await untilHolder();
  leases.ask(caller)?.keep(LEASE, 1_000);
  expect(leases.recall(caller)).toMatchObject(LEASE);
  expect(leases.recall({ ...caller, userId: 8 })).toBeUndefined();
  expect(leases.recall({ ...caller, realmId: 2 })).toBeUndefined();
  fake.advance(1_001);
  expect(leases.recall(caller)).toBeUndefined();
});

test('a lease lasts from its question, not from the answer', async () => {
  await untilHolder();
  const question = leases.ask(caller);
  fake.advance(600);
  question?.keep(LEASE, 1_000);
  expect(leases.recall(caller)).toBeDefined();
  fake.advance(401);
  expect(leases.recall(caller)).toBeUndefined();
});

test.each<[string, { now(): number }]>([
  ['monotonic clock, as when that of the machine was set back', performance],
  ['clock of the machine, as when it has slept', Date],
])('a holder is none any more after its time by the %s', async (_what, timer) => {
  await untilHolder();
  lease();
  answer = () => new Promise(() => {});
  const nowMs = timer.now();
  jest.spyOn(timer, 'now').mockReturnValue(nowMs + 59_000);
  expect([leases.recall(caller), leases.ask(caller)]).toEqual([undefined, undefined]);
});

describe('after an ending', () => {
  const others = [
    { ...caller, userId: 8 },
    { ...caller, realmId: 2 },
  ];
  const recalled = () => [caller, ...others].map((person) => leases.recall(person) !== undefined);

  beforeEach(async () => {
    await untilHolder();
    for (const person of [caller, ...others]) lease(person);
  });

  test.each<[string, LeaseEnding, boolean[]]>([
    ['of one reader the others keep theirs', { realmId: 1, userId: 7 }, [false, true, true]],
    ['of an organization another keeps theirs', { realmId: 1, userId: null }, [false, false, true]],
  ])('%s', async (_what, ending, expected) => {
    expect(recalled()).toEqual([true, true, true]);
    await end(ending);
    expect(recalled()).toEqual(expected);
    lease();
    expect(recalled()[0]).toBe(true);
  });

  test('what was asked before it is not kept', async () => {
    const [own, anothers] = [leases.ask(caller), leases.ask({ ...caller, userId: 8 })];
    await end({ realmId: 1, userId: 7 });
    own?.keep(LEASE, 60_000);
    anothers?.keep(LEASE, 60_000);
    expect(recalled()).toEqual([false, true, true]);
  });

  test('of very many all forget theirs', async () => {
    const question = leases.ask(caller);
    await end(...Array.from({ length: 10_001 }, (_, index) => ({ realmId: 9, userId: index })));
    expect(recalled()).toEqual([false, false, false]);
    question?.keep(LEASE, 60_000);
    expect(leases.recall(caller)).toBeUndefined();
    lease();
    expect(leases.recall(caller)).toBeDefined();
  });
});

describe('a holder has no leases', () => {
  beforeEach(async () => {
    answer = async () => ({ lastsMs: 900 });
    await untilHolder();
    lease();
    expect(leases.recall(caller)).toBeDefined();
  });

  test('when realm does not answer in time, nor those from before when it does at last', async () => {
    let answerAtLast = () => {};
    answer = () => new Promise((resolve) => (answerAtLast = () => resolve({ lastsMs: 60_000 })));
    await until(async () => leases.recall(caller) === undefined);
    expect(leases.ask(caller)).toBeUndefined();
    answerAtLast();
    await until(async () => leases.ask(caller) !== undefined);
    expect(leases.recall(caller)).toBeUndefined();
  });

  test('when realm refuses', async () => {
    answer = async () => ({});
    await until(async () => leases.recall(caller) === undefined);
    expect(leases.ask(caller)).toBeUndefined();
  });

  test('a moment before realm would take it for none', async () => {
    answer = () => new Promise(() => {});
    const begin = performance.now();
    await until(async () => leases.recall(caller) === undefined);
    expect(performance.now() - begin).toBeLessThan(900);
  });
});

test('a holder that realm took for none has no leases from before', async () => {
  await untilHolder();
  lease();
  answer = async () => ({ lastsMs: 60_000, hasBegun: true });
  await until(async () => leases.recall(caller) === undefined);
  expect(leases.ask(caller)).toBeDefined();
});

describe('a credential', () => {
  const credential = { apiKeyId: 3, email: 'ann@example.com', subdomain: 'home', role: 400, isConfirmed: false };
  const calling = (changed: Partial<typeof credential> = {}) => ({
    ...caller,
    credential: { ...credential, ...changed },
  });

  beforeEach(async () => {
    await untilHolder();
    lease(calling());
  });

  test('is confirmed with the lease', () => {
    const call = calling();
    expect(leases.recall(call)).toBeDefined();
    expect(call.credential.isConfirmed).toBe(true);
  });

  test.each<[string, Partial<typeof credential>]>([
    ['another key', { apiKeyId: 4 }],
    ['another address', { email: 'bob@example.com' }],
    ['another organization', { subdomain: 'away' }],
    ['another role', { role: 200 }],
  ])('is not when it has %s', (_what, changed) => {
    const call = calling(changed);
    expect(leases.recall(call)).toBeUndefined();
    expect(call.credential.isConfirmed).toBe(false);
  });

  test('that was confirmed before the question is not leased: realm does not look at it again', () => {
    lease(calling({ apiKeyId: 5, isConfirmed: true }));
    expect(leases.recall(calling({ apiKeyId: 5 }))).toBeUndefined();
  });

  test('is sent with the question, even if another call of the request has it confirmed before', () => {
    const call = calling({ apiKeyId: 6 });
    const question = leases.ask(call);
    call.credential.isConfirmed = true;
    expect(question?.caller.credential).toEqual({ ...credential, apiKeyId: 6 });
  });
});

test('who stops says so', async () => {
  await untilHolder();
  lease();
  await leases.stop();
  expect(asked.at(-1)).toEqual({ holderId: asked[0]?.holderId, isOver: true });
  expect(leases.recall(caller)).toBeUndefined();
});

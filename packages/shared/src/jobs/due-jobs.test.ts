import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '../db';
import { ServiceUnavailableError } from '../errors';
import { silentLogger } from '../observability';
import { createFakeClock, observed, openTestDatabase, rowsReadIn, type TestDatabase, until } from '../testing';
import {
  type ClaimedJob,
  cancelDueJob,
  claimDueJobs,
  createJobs,
  type DueJobs,
  type DueJobsDefinition,
  type JobTable,
  putDueJob,
  settleDueJob,
  startDueJobs,
} from './index';

const TABLE = `create sequence due_job_lease;
create table due_job (
  realm_id bigint not null, kind text not null, id bigint not null, due_at timestamptz not null, attempts integer not null default 0,
  lease bigint, primary key (realm_id, kind, id)
);
create index due_job_by_time on due_job (kind, due_at);
create table effect (job_id bigint not null, lease bigint not null);`;
const LEASE_MS = 20_000;
const clock = createFakeClock();
const started: DueJobs[] = [];
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-jobs-'));
  writeFileSync(path.join(directory, '000001-due-jobs.sql'), TABLE);
  database = await openTestDatabase({ service: 'jobs', directory }, 10);
  db = database.db;
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((jobs) => jobs.stop()));
  await db.query('truncate due_job, effect');
});
afterAll(() => database.close());

const job = (id: number) => ({ realmId: 1, kind: 'test', id });
const put = (id: number, inMs = 0) => db.transaction((tx) => putDueJob(tx, job(id), clock.now() + inMs));
const cancel = (id: number) => db.transaction((tx) => cancelDueJob(tx, job(id)));
const settle = (claimed: ClaimedJob) => db.transaction((tx) => settleDueJob(tx, claimed));

/** A replica. */
function start(run: DueJobsDefinition['run'], { concurrency = 4, after = clock.after } = {}): DueJobs {
  const ctx = { db, clock: { ...clock, after }, log: silentLogger };
  const jobs = startDueJobs(ctx, { kind: 'test', concurrency, leaseMs: LEASE_MS, run });
  started.push(jobs);
  return jobs;
}

/** A promise and its resolve function. */
function signal<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settlePromise) => {
    resolve = settlePromise;
  });
  return { promise, resolve };
}

test('a job is done when it is due, and not before', async () => {
  const done = signal<number>();
  await put(1, 5_000);
  const jobs = start(async (claimed) => {
    await settle(claimed);
    done.resolve(clock.now());
  });
  expect(await jobs.runOnce()).toBe(0);
  const dueAtMs = clock.now() + 5_000;
  clock.advance(5_000);
  await jobs.runOnce();
  expect(await done.promise).toBe(dueAtMs);
  expect(await db.query('select from due_job')).toEqual([]);
});

test('a job that becomes due while the replica looks for it is not slept over', async () => {
  const dueAtMs = clock.now() + 60_000;
  const done = signal<number>();
  const waiting = [1];
  const table: JobTable<number> = {
    claim: async ({ nowMs }) => (nowMs >= dueAtMs ? waiting.splice(0) : []),
    async findNextDueAtMs(nowMs) {
      if (nowMs < dueAtMs) clock.advance(60_000);
      return waiting.length > 0 ? dueAtMs : null;
    },
  };
  const run = async (id: number) => done.resolve(id);
  const definition = { name: 'test', table, concurrency: 1, leaseMs: LEASE_MS, run, lookEveryMs: () => LEASE_MS };
  const jobs = createJobs({ clock, log: silentLogger }, definition);
  jobs.start();
  expect(await done.promise).toBe(1);
  await jobs.stop();
});

test('a replica that is notified of a job need not look for it', async () => {
  const done = signal<number>();
  const jobs = start(async (claimed) => {
    await settle(claimed);
    done.resolve(claimed.id);
  });
  await jobs.runOnce();
  await put(2);
  jobs.wake();
  expect(await done.promise).toBe(2);
});

test('replicas share jobs: each is done once, and no more at once than there is room for', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => index + 1);
  for (const id of ids) await put(id);
  const done: number[] = [];
  let [running, most] = [0, 0];
  const run = async (claimed: ClaimedJob) => {
    running += 1;
    most = Math.max(most, running);
    await settle(claimed);
    done.push(claimed.id);
    running -= 1;
  };
  const replicas = [start(run), start(run)];
  while (done.length < ids.length) await Promise.all(replicas.map((replica) => replica.runOnce()));
  expect(done.sort((a, b) => a - b)).toEqual(ids);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(8);
});

test('a job is made with its transaction or not at all', async () => {
  const failing = db.transaction(async (tx) => {
    await putDueJob(tx, job(1), clock.now());
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await db.query('select from due_job')).toEqual([]);
});

test('of 2,000 jobs that are due at once each takes effect once, the longest-waiting first, with any number of replicas', async () => {
  await db.query(
    `insert into due_job (realm_id, kind, id, due_at)
     select 1, 'test', id, to_timestamp(($1::bigint - id) / 1000.0) from generate_series(1, 2000) id`,
    [clock.now()],
  );
  const first: number[] = [];
  const run = (claimed: ClaimedJob) =>
    db.transaction(async (tx) => {
      if (first.length < 100) first.push(claimed.id);
      await tx.query('insert into effect (job_id, lease) values ($1, $2)', [claimed.id, claimed.lease]);
      await settleDueJob(tx, claimed);
    });
  const counts = await Promise.all(
    Array.from({ length: 4 }, () => start(run, { concurrency: 25 })).map((replica) => replica.runOnce()),
  );
  expect(Math.max(...counts)).toBeGreaterThan(0);
  await until(async () => (await db.query('select from due_job limit 1')).length === 0);
  const [effects] = await db.query('select count(*) as count, count(distinct job_id) as jobs from effect');
  expect(effects).toEqual({ count: 2_000, jobs: 2_000 });
  expect(Math.min(...first)).toBeGreaterThan(1_800);
});

test('a job that was given another time while a replica was at it leaves that replica without effect', async () => {
  const [taken, goOn] = [signal<void>(), signal<void>()];
  await put(1);
  const jobs = start(async (claimed) => {
    taken.resolve();
    await goOn.promise;
    expect(await settle(claimed)).toBe(false);
  });
  await taken.promise;
  await put(1, 60_000);
  goOn.resolve();
  await jobs.stop();
  expect(await db.query('select attempts from due_job')).toEqual([{ attempts: 0 }]);
});

test('a slow job does not hold up the others', async () => {
  const [slow, quick] = [signal<void>(), signal<number>()];
  await put(1);
  const jobs = start(async (claimed) => {
    if (claimed.id === 1) await slow.promise;
    await settle(claimed);
    if (claimed.id === 2) quick.resolve(2);
  });
  await put(2);
  jobs.wake();
  expect(await quick.promise).toBe(2);
  slow.resolve();
});

test('a job that fails is tried again, later each time', async () => {
  const attempts: [number, number][] = [];
  await put(1);
  const beganAtMs = clock.now();
  const jobs = start(async (claimed) => {
    attempts.push([claimed.attempts, clock.now() - beganAtMs]);
    if (claimed.attempts === 2) throw new ServiceUnavailableError();
    if (claimed.attempts < 4) throw new Error('test');
    await settle(claimed);
  });
  for (const delayMs of [0, 500, 1_000, 2_000]) {
    clock.advance(delayMs);
    await jobs.runOnce();
  }
  expect(attempts).toEqual([
    [1, 0],
    [2, 500],
    [3, 1_500],
    [4, 3_500],
  ]);
});

test('a job that fails is tried again when its pause is over, though the replica sleeps longer', async () => {
  const [asleep, again] = [signal<void>(), signal<number>()];
  const after: typeof clock.after = (ms, task) => {
    asleep.resolve();
    return clock.after(ms, task);
  };
  const beganAtMs = clock.now();
  await put(1);
  start(
    async (claimed) => {
      await asleep.promise;
      if (claimed.attempts === 1) throw new Error('test');
      await settle(claimed);
      again.resolve(clock.now() - beganAtMs);
    },
    { after },
  );
  const postponed = `select from due_job where attempts = 1 and due_at = to_timestamp($1 / 1000.0)`;
  await until(async () => (await db.query(postponed, [beganAtMs + 500])).length > 0);
  clock.advance(500);
  expect(await again.promise).toBe(500);
});

test('the job of a replica that died is taken over when its lease is over, and the dead one’s effect is void', async () => {
  const [dead, taken] = [signal<ClaimedJob>(), signal<ClaimedJob>()];
  const end = signal<void>();
  await put(1);
  // With free capacity it would claim the job itself.
  const first = start(
    async (claimed) => {
      dead.resolve(claimed);
      await end.promise;
      expect(await settle(claimed)).toBe(false);
    },
    { concurrency: 1 },
  );
  first.wake();
  const lost = await dead.promise;
  const second = start(async (claimed) => {
    taken.resolve(claimed);
    expect(await settle(claimed)).toBe(true);
  });
  expect(await second.runOnce()).toBe(0);
  clock.advance(LEASE_MS);
  await second.runOnce();
  const found = await taken.promise;
  expect(found).toMatchObject({ id: 1, attempts: 2 });
  expect(found.lease).not.toBe(lost.lease);
  end.resolve();
});

describe('a job can be taken back', () => {
  test('until a replica has begun it', async () => {
    await put(1);
    expect(await cancel(1)).toBe(true);
    expect(await cancel(1)).toBe(false);
    await put(2);
    const jobs = start(() => Promise.reject(new Error('test')));
    await jobs.runOnce();
    expect(await cancel(2)).toBe(false);
  });

  test('and be given another time, which makes it a new one', async () => {
    await put(1);
    const seen: number[] = [];
    const jobs = start(async (claimed) => {
      seen.push(claimed.attempts);
      if (seen.length === 1) throw new Error('test');
      await settle(claimed);
    });
    await jobs.runOnce();
    await put(1, 100);
    clock.advance(100);
    await jobs.runOnce();
    expect(seen).toEqual([1, 1]);
  });
});

test('of many jobs that are due later, a claim reads those that it takes', async () => {
  await db.query(
    `insert into due_job (realm_id, kind, id, due_at)
     select 1, 'test', 10 + n, to_timestamp($1 / 1000.0) + interval '1 year' from generate_series(1, 20000) n`,
    [clock.now()],
  );
  await put(1);
  await db.query('vacuum analyze due_job');
  const { sql, plans } = observed(db);
  await claimDueJobs(sql, { kind: 'test', nowMs: clock.now(), leaseMs: LEASE_MS, limit: 100 });
  expect(rowsReadIn(plans)).toBeLessThan(100);
});

import { NatsError } from 'nats';
import { lastFull, type Sql } from '../db';
import { inTracesOf, type Logger } from '../observability';
import type { Bus } from './bus';
import { Gaps } from './gaps';
import { LogWatch, msgId } from './log-watch';
import {
  loadNext,
  loadProgress,
  loadRefilling,
  loadRows,
  MAX_ROWS,
  type OutboxProgress,
  type OutboxRow,
  preferIndexes,
  saveAndLoadNext,
  saveMark,
  saveProgress,
  type WaitingRow,
} from './outbox.sql';
import { recordOf, toRecords } from './records';
import { beginRefill, refill } from './refill';
import { publishSpan, traceHeaders } from './traces';

/** The publish is repeated after this time; the stable id makes that harmless. */
const PUBLISH_TIMEOUT_MS = 1_000;
/** A gap may be filled by a commit of a replica that died before waking others. */
const GAP_LOOK_MS = 500;

/** JetStream's errors for exhausted storage of the account or the server, or a full disk. */
const OUT_OF_STORAGE = new Set([10_023, 10_047]);

function isOutOfStorage(error: unknown): boolean {
  if (!(error instanceof NatsError) || error.api_error === undefined) return false;
  const { err_code: code = 0, description } = error.api_error;
  return OUT_OF_STORAGE.has(code) || /no space left|insufficient (storage )?resources/i.test(description);
}

interface LeaderOptions {
  service: string;
  bus: Bus;
  log: Logger;
  isStopping(): boolean;
  /** Called when checkLog() is due sooner than announced. */
  wake(): void;
}

/** The work of the leading relay, all on the connection that holds the lock. */
export class OutboxLeader {
  /** From a change to its event in the log, for the last published one. */
  publishDelayMs = 0;
  readonly #gaps: Gaps;
  readonly #watch: LogWatch;
  #isSaved = true;

  private constructor(
    private readonly sql: Sql,
    private readonly progress: OutboxProgress,
    private readonly options: LeaderOptions,
  ) {
    this.#gaps = new Gaps(progress.gaps);
    this.#watch = new LogWatch(options.bus, options.service, progress, options.wake);
  }

  /** Continues where the former leader stopped: its chosen records are published first, unchanged. */
  static async takeOver(sql: Sql, options: LeaderOptions): Promise<OutboxLeader> {
    await preferIndexes(sql);
    const leader = new OutboxLeader(sql, await loadProgress(sql), options);
    await leader.attempt(async () => {
      await leader.checkLog();
      await leader.#publishPending();
    });
    return leader;
  }

  /** Runs a publishing step; when it fails this replica stops leading. */
  async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.resign();
      if (isOutOfStorage(error)) {
        lastFull.natsMs = performance.now();
        this.options.log.warn(
          { err: error },
          'NATS has no room for more events: its disk, or what it may use of it, is full',
        );
      }
      await this.#watch
        .makeAnewIfUseless(error)
        .catch((err) => this.options.log.warn({ err }, 'recreating the event log failed'));
      throw error;
    }
  }

  resign(): void {
    this.#watch.stop();
  }

  /** Time until something is due without new events: until a gap may have been filled, or the log is checked. */
  get restMs(): number {
    return Math.min(this.#watch.dueInMs, this.#gaps.ids.length > 0 ? GAP_LOOK_MS : Number.POSITIVE_INFINITY);
  }

  /** Called between publishing steps: a lost log is refilled first, so that consumers get events in order. */
  async checkLog(): Promise<void> {
    const { sql, progress, options } = this;
    const { service, bus, log, isStopping } = options;
    if (this.#watch.dueInMs === 0) {
      const outcome = await this.#watch.check();
      if (outcome === 'lost') {
        log.warn({ upTo: progress.publishedUpTo }, 'the event log has lost published records; refilling it');
        await beginRefill(sql, progress);
      }
      // After the refill has been stored: until then, the loss is detected again.
      if (outcome !== 'same') await saveMark(sql, progress);
      // The operator may have requested it.
      Object.assign(progress, await loadRefilling(sql));
    }
    await refill(sql, progress, { bus, service, isStopping });
    void bus.copies.raise([bus.stream, `KV_${bus.queueBucket}`]);
  }

  /** Publishes rows that have become visible: all, or as many as are loaded at once. */
  async publishNext(): Promise<'none' | 'some' | 'all'> {
    const { sql, progress } = this;
    const next = await this.#loadAndSave();
    const last = next.at(-1);
    if (last === undefined) return 'none';
    const loadedAtMs = performance.now();
    this.#gaps.notice(
      next.map(({ id }) => id),
      progress.publishedUpTo,
    );
    const records = toRecords(next);
    progress.publishedUpTo = Math.max(progress.publishedUpTo, last.id);
    progress.gaps = this.#gaps.ids;
    progress.pending = records.map((record) => record.map(({ id }) => id));
    await saveProgress(sql, progress);
    for (const record of records) await this.#publish(record);
    progress.pending = [];
    this.#isSaved = false;
    this.publishDelayMs = last.waitedMs + performance.now() - loadedAtMs;
    return next.length < MAX_ROWS ? 'all' : 'some';
  }

  /** Stores what was published; otherwise this happens together with loading the next rows. */
  async save(): Promise<void> {
    if (!this.#isSaved) await saveProgress(this.sql, this.progress);
  }

  async #publishPending(): Promise<void> {
    const { sql, progress } = this;
    const rows = new Map((await loadRows(sql, progress.pending.flat())).map((row) => [row.id, row]));
    for (const ids of progress.pending) await this.#publish(ids.map((id) => rows.get(id) as OutboxRow));
    this.#isSaved = progress.pending.length === 0;
    progress.pending = [];
  }

  async #loadAndSave(): Promise<WaitingRow[]> {
    const { sql, progress } = this;
    if (await this.#gaps.forgetDead(sql)) this.#isSaved = false;
    progress.gaps = this.#gaps.ids;
    const next = this.#isSaved ? await loadNext(sql, progress) : await saveAndLoadNext(sql, progress);
    this.#isSaved = true;
    return next;
  }

  /** Publishes a record and waits for the acknowledgement: the log's order is the outbox's. */
  async #publish(record: readonly OutboxRow[]): Promise<void> {
    const { service, bus } = this.options;
    const [first] = record as [OutboxRow];
    const subject = bus.subject(first.realmId, first.kind);
    const { body, traces } = recordOf(service, record);
    const options = { msgID: msgId(service, first.id), timeout: PUBLISH_TIMEOUT_MS };
    const published = await inTracesOf(traces, publishSpan(first.kind), (own) =>
      bus.js.publish(subject, body, { ...options, ...traceHeaders(own) }),
    );
    this.#watch.note(published, first.id);
  }
}

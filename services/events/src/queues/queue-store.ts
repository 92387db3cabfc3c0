import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@parley/shared/bus';
import { systemClock } from '@parley/shared/values';
import { ErrorCode, type KV, type KvEntry, KvWatchInclude, type NatsError, type QueuedIterator } from 'nats';
import { rejectAsUnreachable, waitForBroker } from '../base/wait-for-broker';
import { MAX_LIFESPAN_SECS } from './ended-queues';
import type { QueueDescriptor } from './queue';
import { type BucketEntry, readBucket } from './read-bucket';

const REQUEST_TIMEOUT_MS = 2_000;
/** Creating with replicas takes the servers some time to elect a leader. */
const CREATE_TIMEOUT_MS = 10_000;
const DAY_MS = 24 * 3_600_000;
/** The broker drops entries that were not changed for longer than any queue's maximum lifespan. */
const ENTRY_LIFE_MS = MAX_LIFESPAN_SECS * 1000 + DAY_MS;
/** By then all other pods have noticed a removal. */
const MARKER_LIFE_MS = 30 * 60_000;
const LEADERLESS_MS = 4_000;
const LEADERLESS_PAUSE_MS = 50;
/** How long the broker counts as connected after an answer, unless the connection is interrupted. */
const CONNECTED_MS = 1_000;
const WRONG_REVISION = 10_071;
const NO_SUCH_STREAM = 10_059;

export interface StoredQueue {
  descriptor: QueueDescriptor;
  revision: number;
}

/** The descriptors of all queues, in a key-value bucket of the broker. Throws ServiceUnavailableError while the broker is unreachable. */
export class QueueStore {
  #bucket: KV | undefined;
  #watch: QueuedIterator<KvEntry> | undefined;
  #nextRevision = 0;
  #isConnectedUntilMs = 0;

  constructor(private readonly bus: Bus) {}

  /** Returns the entry's revision. */
  put(descriptor: QueueDescriptor): Promise<number> {
    return this.#ask((bucket) => bucket.put(descriptor.queueId, JSON.stringify(descriptor)));
  }

  /** Replaces an entry that still has the revision; null when it was changed or removed meanwhile. */
  replace(descriptor: QueueDescriptor, revision: number): Promise<number | null> {
    return this.#ask((bucket) =>
      bucket.update(descriptor.queueId, JSON.stringify(descriptor), revision).catch(nullWhenChanged),
    );
  }

  find(queueId: string): Promise<StoredQueue | null> {
    return this.#ask(async (bucket) => {
      const entry = await bucket.get(queueId);
      if (entry === null || entry.operation !== 'PUT') return null;
      return { descriptor: entry.json<QueueDescriptor>(), revision: entry.revision };
    });
  }

  async remove(queueId: string): Promise<void> {
    // NOTE: not purge(): with it nats-server 2.9 moves readers of the bucket forward, and other pods would miss other removals.
    await this.#ask((bucket) => bucket.delete(queueId));
  }

  /** Reports every removal, by any pod, until the watch is interrupted, or opened too late; the next watch resumes there. */
  async watchRemovals(onRemoved: (queueId: string) => void, stopping: AbortSignal): Promise<void> {
    const bucket = await this.#open();
    this.#watch = await bucket.watch({
      headers_only: true,
      include: KvWatchInclude.UpdatesOnly,
      resumeFromRevision: this.#nextRevision,
    });
    if (stopping.aborted) this.interruptWatch();
    for await (const { key, operation, revision } of this.#watch) {
      this.#nextRevision = revision + 1;
      if (operation !== 'PUT') onRemoved(key);
    }
  }

  /** The connection was interrupted: a request sent now would be lost. */
  noteDisconnect(): void {
    this.#isConnectedUntilMs = 0;
  }

  interruptWatch(): void {
    this.#watch?.stop();
  }

  /** The bucket may have been lost: known revisions are invalid. */
  forgetRevisions(): void {
    this.#nextRevision = 0;
    this.interruptWatch();
  }

  /** All queues: reads the whole bucket. */
  list(): Promise<StoredQueue[]> {
    return this.#ask(async () => [...storedIn(await this.#entries())]);
  }

  /** Removes the queues selected by `choose`, unless they change meanwhile, and the marks of old removals. */
  async sweep(choose: (queues: Iterable<StoredQueue>) => StoredQueue[], stopping: AbortSignal): Promise<void> {
    await this.#ask(async (bucket) => {
      const entries = await this.#entries();
      for (const entry of entries) if (!entry.value && !stopping.aborted) await this.#removeMarker(entry);
      for (const { descriptor, revision } of choose(storedIn(entries)))
        if (!stopping.aborted)
          await bucket.delete(descriptor.queueId, { previousSeq: revision }).catch(nullWhenChanged);
    });
  }

  async #removeMarker({ createdMs, revision }: BucketEntry): Promise<void> {
    // NOTE: the broker's clock has stamped the entry, so the machine's clock is what to compare with.
    if (createdMs < systemClock.now() - MARKER_LIFE_MS)
      await this.bus.jsm.streams.deleteMessage(`KV_${this.#name}`, revision, false);
  }

  #entries(): Promise<BucketEntry[]> {
    return readBucket(this.bus, this.#name);
  }

  /**
   * Tries twice: the bucket is created again if the broker has lost it. While its servers elect a leader for the bucket, none
   * answers.
   */
  async #ask<Result>(question: (bucket: KV) => Promise<Result>): Promise<Result> {
    // Mostly the broker has just answered, so that asking it first is in vain.
    if (performance.now() > this.#isConnectedUntilMs) await waitForBroker(this.bus);
    try {
      const answer = await question(this.#bucket ?? (await this.#open()));
      this.#isConnectedUntilMs = performance.now() + CONNECTED_MS;
      return answer;
    } catch {
      this.#isConnectedUntilMs = 0;
      return await this.#askAnew(question, performance.now() + LEADERLESS_MS).catch(rejectAsUnreachable);
    }
  }

  async #askAnew<Result>(question: (bucket: KV) => Promise<Result>, giveUpAtMs: number): Promise<Result> {
    try {
      return await this.#open().then(question);
    } catch (error) {
      if ((error as NatsError).code !== ErrorCode.NoResponders || performance.now() > giveUpAtMs) throw error;
      await sleep(LEADERLESS_PAUSE_MS);
      return this.#askAnew(question, giveUpAtMs);
    }
  }

  async #open(): Promise<KV> {
    const { connection, copies } = this.bus;
    const timeout = (await this.#isMissing()) ? CREATE_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
    const js = connection.jetstream({ timeout });
    const options = { history: 1, ttl: ENTRY_LIFE_MS };
    await copies.make((replicas) => js.views.kv(this.#name, { ...options, replicas }));
    this.#bucket = await connection
      .jetstream({ timeout: REQUEST_TIMEOUT_MS })
      .views.kv(this.#name, { ...options, bindOnly: true });
    return this.#bucket;
  }

  async #isMissing(): Promise<boolean> {
    const jsm = await this.bus.connection.jetstreamManager({ checkAPI: false, timeout: REQUEST_TIMEOUT_MS });
    try {
      await jsm.streams.info(`KV_${this.#name}`);
      return false;
    } catch (error) {
      if ((error as NatsError).api_error?.err_code === NO_SUCH_STREAM) return true;
      throw error;
    }
  }

  get #name(): string {
    return this.bus.queueBucket;
  }
}

function* storedIn(entries: readonly BucketEntry[]): Generator<StoredQueue> {
  for (const { value, revision } of entries)
    if (value) yield { descriptor: JSON.parse(Buffer.from(value).toString()) as QueueDescriptor, revision };
}

function nullWhenChanged(error: NatsError): null {
  if (error.api_error?.err_code === WRONG_REVISION) return null;
  throw error;
}

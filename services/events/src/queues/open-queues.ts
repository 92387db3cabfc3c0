import type { Logger } from '@parley/shared/service';
import type { Clock } from '@parley/shared/values';
import { slackMsOf } from './ended-queues';
import { OwnedQueues } from './owned-queues';
import { NO_EVENTS } from './poll-answer';
import { Queue, type QueueDescriptor } from './queue';
import type { QueueStore } from './queue-store';

const QUEUE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface OpenQueuesOptions {
  store: QueueStore;
  clock: Clock;
  log: Logger;
}

/** The queues that this pod serves, each loaded once for concurrent polls. */
export class OpenQueues {
  readonly #queues = new Map<string, Queue>();
  readonly #loading = new Map<string, Promise<Queue | null>>();
  readonly #owned = new OwnedQueues();

  constructor(private readonly options: OpenQueuesOptions) {}

  async create(descriptor: QueueDescriptor): Promise<void> {
    const revision = await this.options.store.put(descriptor);
    const queue = new Queue(descriptor, revision);
    this.#hold(queue);
  }

  /** Null: there is no such queue, or no longer. */
  async find(queueId: string): Promise<Queue | null> {
    const queue = this.#queues.get(queueId);
    if (queue && (queue.poll || this.#isAlive(queue.descriptor))) return queue;
    if (!QUEUE_ID.test(queueId)) return null;
    return this.#load(queueId);
  }

  /** The live queues of a user, wherever they are served. */
  async list(realmId: number, userId: number): Promise<QueueDescriptor[]> {
    const stored = (await this.options.store.list()).map(({ descriptor }) => descriptor);
    return stored.filter((queue) => queue.realmId === realmId && queue.userId === userId && this.#isAlive(queue));
  }

  /** Extends the queue's life, counted from that time. Stored now and then, not with every poll. */
  keepAlive(queue: Queue, busyUntilMs: number): void {
    const { lifespanSecs, expiresAt } = queue.descriptor;
    const neededMs = busyUntilMs + lifespanSecs * 1000;
    if (expiresAt >= neededMs || queue.isBeingKept) return;
    queue.isBeingKept = true;
    this.#postpone(queue, neededMs)
      .catch((error) => this.options.log.warn({ err: error }, 'cannot postpone the expiry of a queue'))
      .finally(() => {
        queue.isBeingKept = false;
      });
  }

  async remove(queue: Queue): Promise<void> {
    await this.options.store.remove(queue.descriptor.queueId);
    this.forget(queue.descriptor.queueId);
  }

  /** The queue was removed, here or by another pod: a poll that waits on it ends. */
  forget(queueId: string): void {
    const queue = this.#queues.get(queueId);
    if (queue === undefined) return;
    this.#letGo(queue);
    queue.isDeleted = true;
    queue.poll?.answer(NO_EVENTS);
  }

  /** Another pod is polled for the queue now: a poll that waits here ends without events. */
  release(queueId: string): void {
    const queue = this.#queues.get(queueId);
    if (queue === undefined) return;
    queue.isPolledHere = false;
    queue.poll?.answer(NO_EVENTS);
  }

  /** Drops queues without a poll here for their lifespan; another pod may still serve them. */
  forgetExpired(): void {
    for (const queue of this.#queues.values()) if (!queue.poll && !this.#isAlive(queue.descriptor)) this.#letGo(queue);
  }

  get count(): number {
    return this.#queues.size;
  }

  /** The owners of the queues here, once per queue. */
  *owners(): Generator<Pick<QueueDescriptor, 'realmId' | 'userId'>> {
    for (const { descriptor } of this.#queues.values()) yield descriptor;
  }

  /** The owners' alert words, mutes and visible users must be loaded again. */
  forgetAttentions(): void {
    for (const queue of this.#queues.values()) queue.attention = undefined;
  }

  #load(queueId: string): Promise<Queue | null> {
    const running = this.#loading.get(queueId);
    if (running) return running;
    const loading = this.#loadStored(queueId).finally(() => this.#loading.delete(queueId));
    this.#loading.set(queueId, loading);
    return loading;
  }

  async #loadStored(queueId: string): Promise<Queue | null> {
    const stored = await this.options.store.find(queueId);
    if (stored === null || !this.#isAlive(stored.descriptor)) {
      this.forget(queueId);
      return null;
    }
    const known = this.#queues.get(queueId);
    const queue = known ?? new Queue(stored.descriptor, stored.revision);
    queue.adopt(stored);
    this.#hold(queue);
    return queue;
  }

  #hold(queue: Queue): void {
    this.#queues.set(queue.descriptor.queueId, queue);
    this.#owned.add(queue);
    void this.#dropSurplusBeside(queue);
  }

  #letGo(queue: Queue): void {
    this.#queues.delete(queue.descriptor.queueId);
    this.#owned.remove(queue);
  }

  async #dropSurplusBeside(queue: Queue): Promise<void> {
    const surplus = this.#owned.surplusBeside(queue).map(({ descriptor }) => descriptor.queueId);
    for (const queueId of surplus) this.forget(queueId);
    try {
      for (const queueId of surplus) await this.options.store.remove(queueId);
    } catch (error) {
      this.options.log.warn({ err: error }, 'removing surplus queues failed');
    }
  }

  async #postpone(queue: Queue, neededMs: number): Promise<void> {
    while (!queue.isDeleted && queue.descriptor.expiresAt < neededMs) {
      const expiresAt = neededMs + slackMsOf(queue.descriptor.lifespanSecs);
      const descriptor = { ...queue.descriptor, expiresAt };
      const revision = await this.options.store.replace(descriptor, queue.revision);
      if (revision !== null) queue.adopt({ descriptor, revision });
      // Another pod has changed or removed it; or this one has dropped it meanwhile.
      else if ((await this.#load(descriptor.queueId)) !== queue) return;
    }
  }

  #isAlive({ expiresAt }: QueueDescriptor): boolean {
    return expiresAt > this.options.clock.now();
  }
}

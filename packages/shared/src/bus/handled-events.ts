import type { Sql } from '../db';
import { deleteHandled, findHandled, insertHandled } from './handled-event.sql';
import { LOG_RETENTION_HOURS } from './log-stream';

const EXPIRE_EVERY_MS = 10 * 60_000;
/** A day longer than any outbox keeps what it could publish again. */
const LIFE_HOURS = LOG_RETENTION_HOURS + 24;

/** Which event, of which service. */
export interface EventIds {
  service: string;
  ids: readonly number[];
}

/** What a consumer has handled, in its service's database: a log that is refilled, or read from its beginning, has no effect twice. */
export class HandledEvents {
  #expireAtMs = 0;

  constructor(
    private readonly sql: Sql,
    private readonly consumer: string,
  ) {}

  find({ service, ids }: EventIds): Promise<Set<number>> {
    return findHandled(this.sql, this.consumer, service, ids);
  }

  async note({ service, ids }: EventIds): Promise<void> {
    await insertHandled(this.sql, this.consumer, service, ids);
    if (performance.now() < this.#expireAtMs) return;
    const hasMore = await deleteHandled(this.sql, LIFE_HOURS);
    if (!hasMore) this.#expireAtMs = performance.now() + EXPIRE_EVERY_MS;
  }
}

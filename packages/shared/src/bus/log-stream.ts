import { setTimeout as sleep } from 'node:timers/promises';
import { type JetStreamManager, RetentionPolicy, StorageType, type StreamInfo } from 'nats';
import type { Logger } from '../observability';
import type { Copies } from './copies';

const HOUR_NS = 3_600_000_000_000;

/** Retention of the event log: older records, or those beyond the size, cannot be replayed. The broker reserves the size. */
// NOTE: the same time is written in drop_outbox_partition() in the database. It is no parameter, so that no caller can have younger events dropped.
export const LOG_RETENTION_HOURS = 24 * 7;
const LOG_MAX_BYTES = 2 * 1024 ** 3;
/**
 * For this time the broker recognizes a record that is published again because the relay died before storing that it was
 * published.
 */
const DUPLICATE_WINDOW_NS = HOUR_NS;
/** How long the broker may take to remove a stream that it no longer lists. */
const DELETING_MS = 1_000;

/** The stream of the event log; created by the first process that finds it missing. */
export class LogStream {
  /** Its last known number of copies, which the operator may have changed. Absent: it did not exist yet. */
  #copies: number | undefined;

  constructor(
    private readonly jsm: JetStreamManager,
    private readonly options: {
      name: string;
      prefix: string;
      creatingJsm: JetStreamManager;
      copies: Copies;
      log: Logger;
    },
  ) {}

  /**
   * NOTE: nats-server 2.9 frees the name of a deleted stream before it removes the files. A stream created in between loses its
   * own files with them: it accepts records and returns none, or accepts none. So a process that knew the log waits first.
   */
  async ensure(): Promise<StreamInfo> {
    return (await this.#find()) ?? (await this.#findLater()) ?? this.#make();
  }

  /** Replaces a stream that does not store its records. For every reader it is another log. */
  async makeAnew(): Promise<StreamInfo> {
    const { name, log } = this.options;
    log.warn({ stream: name }, 'the event log does not store its records; recreating it');
    // Keep the number of copies, and reset all other settings.
    await this.#find();
    await this.jsm.streams.delete(name);
    return this.#make();
  }

  async #find(): Promise<StreamInfo | null> {
    try {
      const info = await this.jsm.streams.info(this.options.name);
      this.#copies = info.config.num_replicas;
      return info;
    } catch {
      return null;
    }
  }

  async #findLater(): Promise<StreamInfo | null> {
    if (this.#copies === undefined) return null;
    await sleep(DELETING_MS);
    return this.#find();
  }

  async #make(): Promise<StreamInfo> {
    const { name, prefix, copies } = this.options;
    const config = {
      name,
      subjects: [`${prefix}events.>`],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      max_age: LOG_RETENTION_HOURS * HOUR_NS,
      max_bytes: LOG_MAX_BYTES,
      duplicate_window: DUPLICATE_WINDOW_NS,
      allow_direct: true,
    };
    const info = await copies.make(
      (count) => this.options.creatingJsm.streams.add({ ...config, num_replicas: count }),
      this.#copies,
    );
    this.#copies = info.config.num_replicas;
    return info;
  }
}

import { NatsError, type PubAck, type StreamInfo, type StreamState } from 'nats';
import type { Bus } from './bus';
import { epochOf, markRewound } from './log-identity';
import type { OutboxProgress } from './outbox.sql';

const CHECK_MS = 1_000;

type Mark = Pick<OutboxProgress, 'logEpoch' | 'recordSeq' | 'recordId'>;

/**
 * Notices that the log has lost what this service has published: it was made anew, or the record published last is no longer where
 * it was. That is looked for now and then, and before anything else is noted whenever the broker may have been another one.
 */
export class LogWatch {
  #isSuspect = true;
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  /** Published since, when it was not certain to which log. */
  #latest: Pick<Mark, 'recordSeq' | 'recordId'> | undefined;
  readonly #status: AsyncIterable<{ type: string }> & { stop?(): void };

  constructor(
    private readonly bus: Bus,
    private readonly service: string,
    private readonly mark: Mark,
  ) {
    this.#status = bus.connection.status();
    void this.#follow();
  }

  stop(): void {
    this.#status.stop?.();
  }

  get isDue(): boolean {
    return this.#isSuspect || performance.now() > this.#checkedAtMs + CHECK_MS;
  }

  /** A record is in the log; by the last one the log is known again. */
  note({ seq, duplicate }: PubAck, recordId: number): void {
    // The place of what was published before was given again.
    if (!duplicate && seq <= this.mark.recordSeq) this.#isSuspect = true;
    this.#latest = { recordSeq: seq, recordId };
    if (!this.#isSuspect) Object.assign(this.mark, this.#latest);
  }

  /** Whether the log still has what was published; if not, everybody is made to see that it is another one. */
  async check(): Promise<'same' | 'renamed' | 'lost'> {
    const { bus, mark } = this;
    const isSuspect = this.#isSuspect;
    this.#isSuspect = false;
    try {
      await bus.ensureStream();
      const info = await bus.jsm.streams.info(bus.stream);
      const hasAll = await this.#hasAll(info, isSuspect);
      const isMarked = epochOf(info) !== mark.logEpoch;
      mark.logEpoch = epochOf(hasAll || isMarked ? info : await markRewound(bus, info));
      if (!hasAll) this.#latest = { recordSeq: 0, recordId: 0 };
      if (!hasAll || !this.#isSuspect) Object.assign(mark, this.#latest);
      if (!hasAll) return 'lost';
      return isMarked ? 'renamed' : 'same';
    } catch (error) {
      this.#isSuspect = true;
      throw error;
    } finally {
      this.#checkedAtMs = performance.now();
    }
  }

  async #hasAll({ created, state }: StreamInfo, isSuspect: boolean): Promise<boolean> {
    const { logEpoch, recordSeq } = this.mark;
    if (logEpoch === null) return true;
    if (!logEpoch.startsWith(created)) return false;
    if (state.last_seq < recordSeq) return false;
    return !isSuspect || this.#isDropped(state) || (await this.#hasRecord());
  }

  /** What has grown too old for the log, or the log too large for, is not lost. */
  #isDropped({ first_seq }: StreamState): boolean {
    const { recordSeq } = this.mark;
    return recordSeq === 0 || recordSeq < first_seq;
  }

  async #hasRecord(): Promise<boolean> {
    const { bus, service, mark } = this;
    try {
      const stored = await bus.jsm.streams.getMessage(bus.stream, { seq: mark.recordSeq });
      return stored.header.get('Nats-Msg-Id') === msgId(service, mark.recordId);
    } catch (error) {
      if (!(error instanceof NatsError) || error.api_error?.code !== 404) throw error;
      // It may have been dropped just now.
      return this.#isDropped((await bus.jsm.streams.info(bus.stream)).state);
    }
  }

  async #follow(): Promise<void> {
    for await (const { type } of this.#status) if (type === 'reconnect') this.#isSuspect = true;
  }
}

/** By which the broker knows a record that is published again. */
export function msgId(service: string, recordId: number): string {
  return `${service}:${recordId}`;
}

import { NatsError, type PubAck, type StoredMsg, type StreamInfo, type StreamState } from 'nats';
import type { Bus } from './bus';
import { epochOf, followLogChanges, markRewound } from './log-changes';
import type { OutboxProgress } from './outbox.sql';

/** How often the log is checked while events are published; the broker announces most other changes of it. */
const CHECK_MS = 1_000;
const IDLE_CHECK_MS = 10_000;
/** Number of consecutive failed reads of its end, to exclude that the broker has just failed to read it. */
const MOST_VAIN_LOOKS = 3;
const NOT_STORED = 10_077;

type Mark = Pick<OutboxProgress, 'logEpoch' | 'recordSeq' | 'recordId'>;

/**
 * Detects that the log has lost records of this service: the log was recreated, or the last published record is no longer there.
 * Checks periodically and, if the broker may have been replaced, before anything else is published. A log that accepts records
 * but returns none, or is empty and accepts none, is recreated, because its files are lost.
 */
export class LogWatch {
  #isSuspect = true;
  /** Something was published since the last check. */
  #isBusy = true;
  #vainLooks = 0;
  /** The log's identity at the last check. */
  #epoch = '';
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  /** Published since then, while the log's identity was uncertain. */
  #latest: Pick<Mark, 'recordSeq' | 'recordId'> | undefined;
  readonly #status: AsyncIterable<{ type: string }> & { stop?(): void };
  readonly #changes: { stop(): void };

  /** `onSuspicion` is called when the log should be checked at once. */
  constructor(
    private readonly bus: Bus,
    private readonly service: string,
    private readonly mark: Mark,
    private readonly onSuspicion: () => void,
  ) {
    this.#status = bus.connection.status();
    void this.#follow();
    this.#changes = followLogChanges(bus, () => this.#suspect());
  }

  stop(): void {
    this.#status.stop?.();
    this.#changes.stop();
  }

  /** Time until the next check of the log; 0: now. */
  get dueInMs(): number {
    if (this.#isSuspect && this.#vainLooks === 0) return 0;
    const isLively = this.#isSuspect || this.#vainLooks > 0 || this.#isBusy;
    return Math.max(0, this.#checkedAtMs + (isLively ? CHECK_MS : IDLE_CHECK_MS) - performance.now());
  }

  /** A record is in the log; the last one confirms the log's identity. */
  note({ seq, duplicate }: PubAck, recordId: number): void {
    this.#isBusy = true;
    // The position of the last published record was assigned again.
    if (!duplicate && seq <= this.mark.recordSeq) this.#isSuspect = true;
    this.#latest = { recordSeq: seq, recordId };
    if (!this.#isSuspect) Object.assign(this.mark, this.#latest);
  }

  /** Checks that the log still has the published records; if not, marks it as another log. */
  async check(): Promise<'same' | 'renamed' | 'lost'> {
    const { bus, mark } = this;
    const isSuspect = this.#isSuspect;
    this.#isSuspect = false;
    this.#isBusy = false;
    try {
      const info = await this.#look();
      if (this.#vainLooks > 0) {
        this.#isSuspect ||= isSuspect;
        return 'same';
      }
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

  /** To be called after a failed publish: a stream that cannot be written counts as lost. */
  async makeAnewIfUseless(error: unknown): Promise<void> {
    if (!(error instanceof NatsError) || error.api_error?.err_code !== NOT_STORED) return;
    const { bus } = this;
    const info = await bus.jsm.streams.info(bus.stream);
    // Another process has recreated it meanwhile.
    if (epochOf(info) !== this.#epoch) return;
    if (info.state.messages === 0 || !(await this.#hasEnd(info))) await bus.makeStreamAnew();
  }

  async #look(): Promise<StreamInfo> {
    const { bus } = this;
    let info = await bus.ensureStream();
    this.#vainLooks = (await this.#hasEnd(info)) ? 0 : this.#vainLooks + 1;
    if (this.#vainLooks === MOST_VAIN_LOOKS) {
      this.#vainLooks = 0;
      info = await bus.makeStreamAnew();
    }
    this.#epoch = epochOf(info);
    return info;
  }

  /** Whether the log returns its last record, of any service. */
  async #hasEnd(info: StreamInfo): Promise<boolean> {
    const { bus } = this;
    const { messages, last_seq } = info.state;
    if (messages === 0 || (await find(bus, last_seq))) return true;
    // The record may have expired just now, or another relay has recreated the log, which is checked separately.
    const now = await bus.jsm.streams.info(bus.stream);
    return epochOf(now) !== epochOf(info) || now.state.first_seq > last_seq;
  }

  async #hasAll({ created, state }: StreamInfo, isSuspect: boolean): Promise<boolean> {
    const { logEpoch, recordSeq } = this.mark;
    if (logEpoch === null) return true;
    if (!logEpoch.startsWith(created)) return false;
    if (state.last_seq < recordSeq) return false;
    return !isSuspect || this.#isDropped(state) || (await this.#hasRecord());
  }

  /** Events that exceed the log's age or size limit are not lost. */
  #isDropped({ first_seq }: StreamState): boolean {
    const { recordSeq } = this.mark;
    return recordSeq === 0 || recordSeq < first_seq;
  }

  async #hasRecord(): Promise<boolean> {
    const { bus, service, mark } = this;
    const stored = await find(bus, mark.recordSeq);
    if (stored) return stored.header.get('Nats-Msg-Id') === msgId(service, mark.recordId);
    // It may have expired just now.
    return this.#isDropped((await bus.jsm.streams.info(bus.stream)).state);
  }

  #suspect(): void {
    this.#isSuspect = true;
    this.onSuspicion();
  }

  async #follow(): Promise<void> {
    for await (const { type } of this.#status) if (type === 'reconnect') this.#suspect();
  }
}

async function find({ jsm, stream }: Bus, seq: number): Promise<StoredMsg | null> {
  try {
    return await jsm.streams.getMessage(stream, { seq });
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.code === 404) return null;
    throw error;
  }
}

/** The id by which the broker recognizes a repeated record. */
export function msgId(service: string, recordId: number): string {
  return `${service}:${recordId}`;
}

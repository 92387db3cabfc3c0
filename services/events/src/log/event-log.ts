import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Bus,
  epochOf,
  followLogChanges,
  Interruptions,
  isRefilled,
  markRewound,
  stopWhenCutOff,
  tracesOf,
} from '@parley/shared/bus';
import { ServiceUnavailableError } from '@parley/shared/errors';
import { domainEvents, type EventKind } from '@parley/shared/events';
import type { Logger } from '@parley/shared/service';
import { AckPolicy, type ConsumerMessages, DeliverPolicy, type JsMsg, nanos, type StreamInfo } from 'nats';
import { rejectAsUnreachable, waitForBroker } from '../base/wait-for-broker';
import type { LogWindow } from './log-window';
import { Milestones } from './milestones';
import type { WindowRecord } from './window-record';

const RETRY_MS = 100;
/** How often a pod checks that the log is still the same; the broker announces most changes of it. */
const CHECK_MS = 10_000;

interface EventLogOptions {
  bus: Bus;
  window: LogWindow;
  windowBytes: number;
  log: Logger;
  stopping: AbortSignal;
  /** Called with every record with events known to this version, in order, each once. */
  onRecord(record: WindowRecord): void;
  /** Called if the next record does not continue the previous ones: parked polls cannot be served across the break. */
  onBreak(): void;
}

/** Reads the event log for this pod: once, in order, also across outages of the broker. */
export class EventLog {
  readonly #milestones = new Milestones();
  #epoch = '';
  /** Identity of the last record read. */
  #headTimestamp: number | undefined;
  #isRewound = false;
  #messages: ConsumerMessages | undefined;
  #running = Promise.resolve();

  constructor(private readonly options: EventLogOptions) {}

  /** The log's identity; empty while unknown. */
  get epoch(): string {
    return this.#epoch;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** To be called once `stopping` is aborted. */
  async stop(): Promise<void> {
    this.#messages?.stop();
    await this.#running;
  }

  /** Resolves once the pod's window has loaded. */
  untilLoaded(): Promise<void> {
    return this.#milestones.untilLoaded();
  }

  /** Resolves when everything that is in the stream now has been read. Throws ServiceUnavailableError. */
  async catchUp(): Promise<void> {
    const { bus } = this.options;
    await this.untilLoaded();
    await waitForBroker(bus);
    const info = await bus.jsm.streams.info(bus.stream).catch(rejectAsUnreachable);
    // It was recreated, which this pod will notice.
    if (epochOf(info) !== this.#epoch) throw new ServiceUnavailableError();
    await this.#milestones.until(info.state.last_seq);
  }

  async #run(): Promise<void> {
    const { stopping, log } = this.options;
    const interruptions = new Interruptions(log, 'reading the event log was interrupted');
    while (!stopping.aborted) {
      const beganAtMs = performance.now();
      try {
        await this.#read();
      } catch (error) {
        if (!stopping.aborted) interruptions.note(error, beganAtMs);
      }
      await sleep(RETRY_MS, undefined, { signal: stopping }).catch(() => {});
    }
  }

  /** Reads until an error; the next attempt reads the stream's state again and continues at the head. */
  async #read(): Promise<void> {
    const { bus, window, stopping } = this.options;
    await waitForBroker(bus);
    await this.#adopt(await bus.ensureStream());
    const messages = await consumeFrom(bus, window.head);
    this.#messages = messages;
    // Stopped while the consumer was being opened.
    if (stopping.aborted) messages.stop();
    const watch = stopWhenCutOff(bus, messages);
    const look = () => void this.#checkIdentity(messages);
    const changes = followLogChanges(bus, look);
    const check = setInterval(look, CHECK_MS);
    try {
      for await (const message of messages) this.#take(message);
    } finally {
      clearInterval(check);
      changes.stop();
      watch.cancel();
    }
  }

  /** Checks that the stream is the same as before, or starts again. */
  async #adopt(info: StreamInfo): Promise<void> {
    const { bus, window, windowBytes, log } = this.options;
    if (this.#isSame(info, window.head)) return;
    const isFirst = this.#epoch === '';
    this.#epoch = epochOf(epochOf(info) === this.#epoch ? await markRewound(bus, info) : info);
    const firstSeq = firstSeqWithin(info, windowBytes);
    log.info({ epoch: this.#epoch, firstSeq, lastSeq: info.state.last_seq }, 'reading the event log from its past');
    this.#isRewound = false;
    this.#headTimestamp = undefined;
    window.restartAfter(firstSeq - 1);
    this.#milestones.restart(window.head, info.state.last_seq);
    if (!isFirst) this.options.onBreak();
  }

  #isSame(info: StreamInfo, head: number): boolean {
    return epochOf(info) === this.#epoch && info.state.last_seq >= head && !this.#isRewound;
  }

  async #checkIdentity(messages: ConsumerMessages): Promise<void> {
    const { bus, window } = this.options;
    // NOTE: taken before the request, because records may be read while the answer is in transit.
    const { head } = window;
    const info = await bus.jsm.streams.info(bus.stream).catch(() => undefined);
    if (info && !this.#isSame(info, head)) messages.stop(new Error('the event log was replaced'));
  }

  #take(message: JsMsg): void {
    const { window } = this.options;
    const { seq } = message;
    const { timestampNanos } = message.info;
    // A server of the broker that was unreachable recreates consumers in their initial state.
    if (seq < window.head) throw new Error('the event log is given again from an earlier record');
    if (seq === window.head) {
      // Reading resumes with the last record read, to verify that it is still the same.
      this.#isRewound = this.#headTimestamp !== undefined && this.#headTimestamp !== timestampNanos;
      if (this.#isRewound) throw new Error('the event log has lost records');
      return;
    }
    if (seq > window.head + 1) this.#skipTo(seq);
    this.#headTimestamp = timestampNanos;
    this.#keep(message);
    this.#milestones.reach(seq);
  }

  /** Records were removed before this pod read them. */
  #skipTo(seq: number): void {
    this.options.window.restartAfter(seq - 1);
    this.options.onBreak();
  }

  #keep(message: JsMsg): void {
    const { bus, window, log, onRecord } = this.options;
    const { seq, subject, data } = message;
    const { realmId, kind } = parseSubject(bus, subject);
    // Refilled events are for services only: queues have registered since. Unknown kinds come from newer versions of services.
    if (isRefilled(message) || !Object.hasOwn(domainEvents, kind)) {
      window.skip(seq);
      return;
    }
    // NOTE: copied, because the message is a slice of a much larger network buffer.
    const record = window.append(seq, realmId, kind as EventKind, Buffer.from(data));
    record.traces = tracesOf(message);
    try {
      onRecord(record);
    } catch (error) {
      // A repeated read would fail again, so the record is skipped.
      log.error({ err: error, seq, kind }, 'a record of the event log could not be handled');
    }
  }
}

/**
 * Prefetch: 16 MiB of full records. The broker disconnects a client that leaves more than 64 MB unread; reading then resumes after the last
 * record received.
 */
const FETCHED_RECORDS = 64;
const IDLE_HEARTBEAT_MS = 2_000;
const CONSUMER_LIFE_MS = 30_000;
const CREATE_TIMEOUT_MS = 2_000;

/** The first record of the newest `windowBytes` of the log, assuming records of equal size. */
function firstSeqWithin({ state }: StreamInfo, windowBytes: number): number {
  if (state.bytes <= windowBytes) return Math.max(1, state.first_seq);
  return state.last_seq + 1 - Math.floor((state.messages * windowBytes) / state.bytes);
}

/** Reads the stream from a record on, through a consumer that the broker removes soon after this pod stops. */
async function consumeFrom(bus: Bus, seq: number): Promise<ConsumerMessages> {
  // The broker may place a consumer on an unreachable server, which fails: the next attempt may succeed.
  const jsm = await bus.connection.jetstreamManager({ checkAPI: false, timeout: CREATE_TIMEOUT_MS });
  const { name } = await jsm.consumers.add(bus.stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: Math.max(1, seq),
    inactive_threshold: nanos(CONSUMER_LIFE_MS),
    mem_storage: true,
    num_replicas: 1,
  });
  const consumer = await bus.js.consumers.get(bus.stream, name);
  return consumer.consume({
    max_messages: FETCHED_RECORDS,
    idle_heartbeat: IDLE_HEARTBEAT_MS,
    abort_on_missing_resource: true,
  });
}

/** The inverse of Bus.subject. */
function parseSubject(bus: Bus, subject: string): { realmId: number; kind: string } {
  const path = subject.slice(bus.subject(0, '').length - '0.'.length);
  const dot = path.indexOf('.');
  return { realmId: Number(path.slice(0, dot)), kind: path.slice(dot + 1) };
}

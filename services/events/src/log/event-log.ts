import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@parley/shared/bus';
import { domainEvents, type EventKind } from '@parley/shared/events';
import type { Logger } from '@parley/shared/service';
import { AckPolicy, type ConsumerMessages, DeliverPolicy, type JsMsg, nanos, type StreamInfo } from 'nats';
import { reachBroker, rejectAsAway } from '../reach-broker';
import type { HeldRecord } from './log-record';
import type { LogWindow } from './log-window';
import { Milestones } from './milestones';

const RETRY_MS = 100;
const CHECK_MS = 1_000;
const FETCHED_RECORDS = 256;
const IDLE_HEARTBEAT_MS = 2_000;
const CONSUMER_LIFE_MS = 30_000;

export interface EventLogOptions {
  bus: Bus;
  window: LogWindow;
  windowBytes: number;
  log: Logger;
  /** Every record that holds something this version knows, in order, each once. */
  onRecord(record: HeldRecord): void;
  /** What comes next does not continue what was read so far: waiting clients cannot be served around the break. */
  onBreak(): void;
}

/** The event log, as this pod reads it: once, in order, whatever happens to the broker. */
export interface EventLog {
  /** Which log this is. Another one when the stream was made anew, or has lost records that were read already. */
  readonly epoch: string;
  start(): void;
  stop(): Promise<void>;
  /** The past that a pod holds is in its window. */
  untilLoaded(): Promise<void>;
  /** Everything that is in the stream at the time of the call has been read. */
  catchUp(): Promise<void>;
}

export function createEventLog(options: EventLogOptions): EventLog {
  const { bus, window, log } = options;
  const stopping = new AbortController();
  const milestones = new Milestones();
  let epoch = '';
  let isRewound = false;
  let headTimestamp: number | undefined;
  let messages: ConsumerMessages | undefined;
  let running = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await read();
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'reading the event log was interrupted');
      }
      await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** Reads until something is wrong; whoever comes next looks at the stream anew and continues at the head. */
  async function read(): Promise<void> {
    await reachBroker(bus);
    await bus.ensureStream();
    await adopt(await bus.jsm.streams.info(bus.stream));
    const consumer = await openConsumer(bus, window.head);
    messages = await consumer.consume({
      max_messages: FETCHED_RECORDS,
      idle_heartbeat: IDLE_HEARTBEAT_MS,
      abort_on_missing_resource: true,
    });
    // Stopped while the consumer was being opened.
    if (stopping.signal.aborted) messages.stop();
    const check = setInterval(() => void checkIdentity(), CHECK_MS);
    try {
      for await (const message of messages) take(message);
    } finally {
      clearInterval(check);
    }
  }

  /** Makes sure that the stream is the one that was read so far, or begins anew. */
  async function adopt(info: StreamInfo): Promise<void> {
    if (isSame(info, window.head)) return;
    const isFirst = epoch === '';
    epoch = epochOf(epochOf(info) === epoch ? await markRewound(bus, info) : info);
    const firstSeq = firstSeqWithin(info, options.windowBytes);
    log.info({ epoch, firstSeq, lastSeq: info.state.last_seq }, 'reading the event log from its past');
    isRewound = false;
    headTimestamp = undefined;
    window.restartAfter(firstSeq - 1);
    milestones.restart(window.head, info.state.last_seq);
    if (!isFirst) options.onBreak();
  }

  function isSame(info: StreamInfo, head: number): boolean {
    return epochOf(info) === epoch && info.state.last_seq >= head && !isRewound;
  }

  async function checkIdentity(): Promise<void> {
    // NOTE: taken before the question: records may be read while the answer is on its way.
    const { head } = window;
    const info = await bus.jsm.streams.info(bus.stream).catch(() => undefined);
    if (info && !isSame(info, head)) messages?.stop(new Error('the event log was replaced'));
  }

  function take(message: JsMsg): void {
    const { seq } = message;
    const { timestampNanos } = message.info;
    if (seq === window.head) {
      // Reading resumes with the record read last, to see that it is still the same.
      isRewound = headTimestamp !== undefined && headTimestamp !== timestampNanos;
      if (isRewound) throw new Error('the event log has lost records');
      return;
    }
    if (seq > window.head + 1) skipTo(seq);
    headTimestamp = timestampNanos;
    keep(seq, message);
    milestones.reach(window.head);
  }

  /** Records were removed before this pod has read them. */
  function skipTo(seq: number): void {
    window.restartAfter(seq - 1);
    options.onBreak();
  }

  function keep(seq: number, message: JsMsg): void {
    const { realmId, kind } = parseSubject(bus, message.subject);
    if (!Object.hasOwn(domainEvents, kind)) {
      // A newer version of some service announces what this one does not know yet.
      window.skip(seq);
      return;
    }
    // NOTE: copied, because the message is a slice of the much larger block that came from the network.
    const record = window.append(seq, realmId, kind as EventKind, Buffer.from(message.data));
    try {
      options.onRecord(record);
    } catch (error) {
      // Reading it again would fail again: the log goes on.
      log.error({ err: error, seq, kind }, 'a record of the event log could not be handled');
    }
  }

  return {
    get epoch() {
      return epoch;
    },
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      messages?.stop();
      await running;
    },
    untilLoaded: () => milestones.untilLoaded(),
    async catchUp() {
      await milestones.untilLoaded();
      await reachBroker(bus);
      const { state } = await bus.jsm.streams.info(bus.stream).catch(rejectAsAway);
      await milestones.until(state.last_seq);
    },
  };
}

function epochOf({ created, config }: StreamInfo): string {
  return `${created} ${config.description ?? ''}`.trim();
}

/**
 * The broker lost records that were read already (its acknowledgement does not survive a crash of the machine): their numbers
 * are given again, so cursors beyond them mean nothing any more. The stream is marked, so that all pods see another log.
 */
async function markRewound(bus: Bus, { config, state }: StreamInfo): Promise<StreamInfo> {
  const description = `rewound to ${state.last_seq} (${randomUUID()})`;
  return await bus.jsm.streams.update(bus.stream, { ...config, description });
}

/** Where the newest `windowBytes` of the log begin, if its records are of even size. */
function firstSeqWithin({ state }: StreamInfo, windowBytes: number): number {
  if (state.bytes <= windowBytes) return Math.max(1, state.first_seq);
  return state.last_seq + 1 - Math.floor((state.messages * windowBytes) / state.bytes);
}

/** A reader on the broker that vanishes by itself soon after this pod is gone. */
async function openConsumer(bus: Bus, head: number) {
  const { name } = await bus.jsm.consumers.add(bus.stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: Math.max(1, head),
    inactive_threshold: nanos(CONSUMER_LIFE_MS),
    mem_storage: true,
    num_replicas: 1,
  });
  return bus.js.consumers.get(bus.stream, name);
}

function parseSubject(bus: Bus, subject: string): { realmId: number; kind: string } {
  const path = subject.slice(bus.subject(0, '').length - '0.'.length);
  const dot = path.indexOf('.');
  return { realmId: Number(path.slice(0, dot)), kind: path.slice(dot + 1) };
}

import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  type ConsumerInfo,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
  nanos,
  type StreamInfo,
} from 'nats';
import type { Sql } from '../db';
import type { ConsumedKind, EventDeclaration } from '../events';
import { inTracesOf, type Logger } from '../observability';
import type { Bus } from './bus';
import { type ConsumedEvent, HandledEvents, handleRecord, type RetryPolicy } from './handle-record';
import { Interruptions, stopWhenCutOff } from './interruptions';
import { epochOf, followLogChanges } from './log-changes';
import type { LogRecord } from './records';
import { handleSpan, tracesOf } from './traces';

/** The broker redelivers a record to another replica after this time without a sign from its replica. */
const ACK_WAIT_MS = 5_000;
/** How often a replica signals that it still handles a record. */
const STILL_WORKING_MS = 1_500;
const IDLE_HEARTBEAT_MS = 5_000;
const REOPEN_MS = 200;
/** NOTE: without a delay nats-server 2.9 may not redeliver the record until its acknowledgement is overdue. */
const HAND_OVER_MS = 5;
/** How often a replica checks that the log is still the same one; the broker announces most changes of it. */
const CHECK_MS = 20_000;

export interface ConsumeOptions<Payload> {
  bus: Bus;
  /** The service's database, which stores the handled events. */
  db: Sql;
  /** Replicas with the same name share the work: together they handle each event once, unless one dies in between. */
  service: string;
  event: EventDeclaration<ConsumedKind, Payload>;
  log: Logger;
  /** Events of one organization, in order. Resolves when their effect is committed; must be idempotent. */
  handle(events: ConsumedEvent<Payload>[]): Promise<void>;
  retryPolicy?: RetryPolicy;
  /** Present: a frequent kind whose order does not matter. */
  frequent?: Frequent;
}

/** How a frequent kind is read. */
export interface Frequent {
  /** Records that a replica handles at once. */
  atOnce: number;
  /** Older events are not read, for example by the first replica that consumes the kind. */
  newsHours: number;
  /** The handler notes the events that have an effect, in its transaction (HandledEvents.noteIn); others may be handled again. */
  notesHandled: true;
}

export interface Consumption {
  /** Finishes the current events. */
  stop(): Promise<void>;
}

/**
 * Handles every event of a kind at least once and in order, with any number of replicas: the broker stores each service's
 * position, and delivers the next record when the last one is acknowledged. Resumes by itself after an outage of the broker or a
 * loss of its data: then it reads the log from its beginning and skips handled events. While a service that the handler calls is
 * unreachable, events wait. An event that fails repeatedly is logged and set aside: it stays in the log and in the outbox of the
 * service that announced it, and is retried when a lost log is refilled.
 */
export function consume<Payload>(options: ConsumeOptions<Payload>): Consumption {
  const consumer = new Consumer(options);
  const running = consumer.run();
  return {
    async stop() {
      consumer.stop();
      await running;
    },
  };
}

class Consumer<Payload> {
  readonly #handled: HandledEvents | null;
  readonly #stopping = new AbortController();
  #messages: ConsumerMessages | undefined;

  constructor(private readonly options: ConsumeOptions<Payload>) {
    this.#handled = options.frequent ? null : handledEvents(options);
  }

  stop(): void {
    this.#stopping.abort();
    this.#messages?.stop();
  }

  async run(): Promise<void> {
    const { signal } = this.#stopping;
    const { event, log } = this.options;
    const interruptions = new Interruptions(log, 'consuming events was interrupted', { kind: event.kind });
    while (!signal.aborted) {
      const beganAtMs = performance.now();
      try {
        await this.#read();
      } catch (error) {
        if (!signal.aborted) interruptions.note(error, beganAtMs);
      }
      await sleep(REOPEN_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Ends when the log is another one, or the connection is lost. */
  async #read(): Promise<void> {
    const { bus } = this.options;
    const opened = await open(this.options);
    this.#messages = opened.messages;
    if (this.#stopping.signal.aborted) opened.messages.stop();
    const watch = stopWhenCutOff(bus, opened.messages);
    const look = () => void stopUnlessIn(bus, opened);
    const changes = followLogChanges(bus, look);
    const check = setInterval(look, CHECK_MS);
    try {
      await this.#takeAll(opened.messages);
    } finally {
      clearInterval(check);
      changes.stop();
      watch.cancel();
    }
  }

  async #takeAll(messages: ConsumerMessages): Promise<void> {
    const { atOnce = 1 } = this.options.frequent ?? {};
    const running = new Set<Promise<void>>();
    for await (const message of messages) {
      const taken = this.#take(message);
      running.add(taken);
      taken.then(
        () => running.delete(taken),
        () => {},
      );
      // A failed one stays, and ends the reading.
      if (running.size >= atOnce) await Promise.race(running);
    }
    await Promise.all(running);
  }

  async #take(message: JsMsg): Promise<void> {
    if (this.#stopping.signal.aborted) message.nak(HAND_OVER_MS);
    else await take(message, { ...this.options, handled: this.#handled }, this.#stopping.signal);
  }
}

/** Continues at the position of the service's replicas in this log, or at its beginning if they have none. */
async function open<Payload>(options: ConsumeOptions<Payload>): Promise<{ messages: ConsumerMessages; epoch: string }> {
  const { bus, service, event, frequent } = options;
  const stream = await bus.ensureStream();
  const name = nameOf(service, event);
  const epoch = epochOf(stream);
  const progress = await bus.jsm.consumers.info(bus.stream, name).catch(() => null);
  if (progress === null || !isIn(stream, progress)) {
    if (progress !== null) await bus.jsm.consumers.delete(bus.stream, name);
    await bus.jsm.consumers.add(bus.stream, {
      durable_name: name,
      description: epoch,
      filter_subject: bus.subjectOfAll(event.kind),
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      ...readingOf(options),
    });
  }
  const consumer = await bus.js.consumers.get(bus.stream, name);
  const messages = await consumer.consume({
    idle_heartbeat: IDLE_HEARTBEAT_MS,
    abort_on_missing_resource: true,
    // Records that wait here unacknowledged would be delivered again.
    ...(frequent && { max_messages: frequent.atOnce }),
  });
  return { messages, epoch };
}

/** The events that a service has handled. */
export function handledEvents(options: { db: Sql; service: string; event: { kind: string } }): HandledEvents {
  return new HandledEvents(options.db, nameOf(options.service, options.event));
}

/** All events, or those that are news; and one record at a time for all replicas, so that later ones wait for earlier ones. */
function readingOf({ frequent }: Pick<ConsumeOptions<unknown>, 'frequent'>) {
  if (!frequent) return { deliver_policy: DeliverPolicy.All, max_ack_pending: 1 };
  const sinceMs = Date.now() - frequent.newsHours * 3_600_000;
  return {
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: new Date(sinceMs).toISOString(),
    max_ack_pending: 8 * frequent.atOnce,
  };
}

function nameOf(service: string, { kind }: { kind: string }): string {
  return `${service}-${kind.replaceAll('.', '-')}`;
}

/** Or the broker lost the end of the log and assigns the same numbers again: these records are not the handled ones. */
function isIn(stream: StreamInfo, { config, delivered }: ConsumerInfo): boolean {
  return config.description === epochOf(stream) && delivered.stream_seq <= stream.state.last_seq;
}

/** The log has lost records: read it from its beginning. */
async function stopUnlessIn(
  bus: Bus,
  { messages, epoch }: { messages: ConsumerMessages; epoch: string },
): Promise<void> {
  const info = await bus.jsm.streams.info(bus.stream).catch(() => undefined);
  if (info && epochOf(info) !== epoch) messages.stop();
}

type Taking<Payload> = ConsumeOptions<Payload> & { handled: HandledEvents | null };

async function take<Payload>(message: JsMsg, options: Taking<Payload>, stopping: AbortSignal): Promise<void> {
  const stillWorking = setInterval(() => message.working(), STILL_WORKING_MS);
  try {
    const record = parse(message, options.log);
    const handle = async () => record === null || (await handleRecord(record, { ...options, stopping }));
    const isDone = await inTracesOf(tracesOf(message), handleSpan('handle', options.event.kind), handle);
    if (isDone) await message.ackAck();
    else message.nak(HAND_OVER_MS);
  } finally {
    clearInterval(stillWorking);
  }
}

function parse(message: JsMsg, log: Logger): LogRecord | null {
  try {
    return message.json<LogRecord>();
  } catch (error) {
    log.error({ err: error, subject: message.subject, seq: message.seq }, 'a record of the event log cannot be read');
    return null;
  }
}

/** Number of unhandled records of all consumers. For tests that wait until everything is handled. */
export async function countUnconsumed({ jsm, stream }: Bus): Promise<number> {
  let count = 0;
  for await (const { config, num_pending, num_ack_pending } of jsm.consumers.list(stream)) {
    if (config.durable_name !== undefined) count += num_pending + num_ack_pending;
  }
  return count;
}

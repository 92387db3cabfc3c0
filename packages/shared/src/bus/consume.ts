import { setTimeout as sleep } from 'node:timers/promises';
import { AckPolicy, type ConsumerInfo, type ConsumerMessages, DeliverPolicy, type JsMsg, nanos } from 'nats';
import type { EventDeclaration } from '../events';
import type { Logger } from '../service';
import type { Bus } from './bus';
import { type ConsumedEvent, handleRecord, type Patience } from './handle-record';
import type { LogRecord } from './records';

/** A record whose replica fell silent is given to another one after this time. */
const ACK_WAIT_MS = 5_000;
/** How often a replica says that it still works on a record. */
const STILL_WORKING_MS = 1_500;
const IDLE_HEARTBEAT_MS = 2_000;
const REOPEN_MS = 200;
/** NOTE: without a delay nats-server 2.9 may hold the record back until its acknowledgement is overdue. */
const HAND_OVER_MS = 5;

export interface ConsumeOptions<Payload> {
  bus: Bus;
  /** Whose replicas share the work: together they handle each event once, unless one of them dies in between. */
  service: string;
  event: EventDeclaration<string, Payload>;
  log: Logger;
  /** Events of one organization, in their order. Resolves once their effect is committed; must bear to be called again with them. */
  handle(events: ConsumedEvent<Payload>[]): Promise<void>;
  patience?: Patience;
}

export interface Consumption {
  /** Finishes what is being handled. */
  stop(): Promise<void>;
}

/**
 * Handles every event of a kind at least once, all of them in their order, however many replicas there are: the broker keeps for
 * each service how far it has come, and gives the next record out when the last one is acknowledged. Goes on by itself after the
 * broker was away or lost its data. While a service that it takes is away, events wait; an event that cannot be handled is logged
 * and set aside after some attempts: it stays in the log and in the outbox of the service that announced it.
 */
export function consume<Payload>(options: ConsumeOptions<Payload>): Consumption {
  const { bus, event, log } = options;
  const stopping = new AbortController();
  let messages: ConsumerMessages | undefined;

  async function read(): Promise<void> {
    messages = await open(options);
    if (stopping.signal.aborted) messages.stop();
    const restart = stopOnReconnect(bus, messages);
    try {
      for await (const message of messages) {
        if (stopping.signal.aborted) message.nak(HAND_OVER_MS);
        else await take(message, options, stopping.signal);
      }
    } finally {
      restart.cancel();
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await read();
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error, kind: event.kind }, 'consuming events was interrupted');
      }
      await sleep(REOPEN_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      messages?.stop();
      await running;
    },
  };
}

/** Continues where the service's replicas have come to, from the log's beginning if they have never been anywhere. */
async function open<Payload>({ bus, service, event }: ConsumeOptions<Payload>): Promise<ConsumerMessages> {
  await bus.ensureStream();
  const name = `${service}-${event.kind.replaceAll('.', '-')}`;
  const progress = await bus.jsm.consumers.info(bus.stream, name).catch(() => null);
  if (progress === null || (await isBeyondLog(bus, progress))) {
    if (progress !== null) await bus.jsm.consumers.delete(bus.stream, name);
    await bus.jsm.consumers.add(bus.stream, {
      durable_name: name,
      filter_subject: bus.subjectOfAll(event.kind),
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      deliver_policy: DeliverPolicy.All,
      // One record at a time among all replicas: what comes later waits for what came before.
      max_ack_pending: 1,
    });
  }
  const consumer = await bus.js.consumers.get(bus.stream, name);
  return consumer.consume({ idle_heartbeat: IDLE_HEARTBEAT_MS, abort_on_missing_resource: true });
}

/** The broker lost the end of the log, and gives the same numbers again: they are not the records that were handled. */
async function isBeyondLog(bus: Bus, { delivered }: ConsumerInfo): Promise<boolean> {
  const { state } = await bus.jsm.streams.info(bus.stream);
  return delivered.stream_seq > state.last_seq;
}

/** The broker that comes back may be one that has lost data. */
function stopOnReconnect({ connection }: Bus, messages: ConsumerMessages): { cancel(): void } {
  const changes = connection.status() as AsyncIterable<{ type: string }> & { stop?(): void };
  const follow = async () => {
    for await (const { type } of changes) if (type === 'reconnect') messages.stop();
  };
  void follow();
  return { cancel: () => changes.stop?.() };
}

async function take<Payload>(message: JsMsg, options: ConsumeOptions<Payload>, stopping: AbortSignal): Promise<void> {
  const stillWorking = setInterval(() => message.working(), STILL_WORKING_MS);
  try {
    const record = parse(message, options.log);
    const isDone = record === null || (await handleRecord(record, { ...options, stopping }));
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

/** Records that services have not handled yet, of all that they consume(). Asked by tests that wait for everything to be done. */
export async function countUnconsumed({ jsm, stream }: Bus): Promise<number> {
  let count = 0;
  for await (const { config, num_pending, num_ack_pending } of jsm.consumers.list(stream)) {
    if (config.durable_name !== undefined) count += num_pending + num_ack_pending;
  }
  return count;
}

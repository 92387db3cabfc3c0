import type { Bus } from '@parley/shared/bus';
import { AckPolicy, type ConsumerMessages, DeliverPolicy, nanos, type StreamInfo } from 'nats';

/**
 * Asked for ahead: 16 MiB of full records. The broker cuts off who leaves more than 64 MB unread; what has come by then was read, and
 * reading goes on behind it.
 */
const FETCHED_RECORDS = 64;
const IDLE_HEARTBEAT_MS = 2_000;
const CONSUMER_LIFE_MS = 30_000;
const MAKING_MS = 2_000;

/** Where the newest `windowBytes` of the log begin, if its records are of even size. */
export function firstSeqWithin({ state }: StreamInfo, windowBytes: number): number {
  if (state.bytes <= windowBytes) return Math.max(1, state.first_seq);
  return state.last_seq + 1 - Math.floor((state.messages * windowBytes) / state.bytes);
}

/** Reads the stream from a record on, through a consumer on the broker that vanishes by itself soon after this pod is gone. */
export async function consumeFrom(bus: Bus, seq: number): Promise<ConsumerMessages> {
  // One that the broker places on a server that is away is not made: the next one may be.
  const jsm = await bus.connection.jetstreamManager({ checkAPI: false, timeout: MAKING_MS });
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
export function parseSubject(bus: Bus, subject: string): { realmId: number; kind: string } {
  const path = subject.slice(bus.subject(0, '').length - '0.'.length);
  const dot = path.indexOf('.');
  return { realmId: Number(path.slice(0, dot)), kind: path.slice(dot + 1) };
}

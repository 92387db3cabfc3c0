import type { Bus } from '@parley/shared/bus';
import { AckPolicy, type ConsumerMessages, DeliverPolicy, nanos, type StreamInfo } from 'nats';

/**
 * Asked for ahead, and asked for anew when half of it is there. The broker drops a client that leaves 64 MB unread, and no record is
 * larger than 8 MB (its `max_payload`): any fits into what is asked for.
 */
const FETCHED_BYTES = 16 * 1024 ** 2;
/** Beside the bytes there are always 100 records that the client asks for. */
const FEW_RECORDS = 36;
const IDLE_HEARTBEAT_MS = 2_000;
const CONSUMER_LIFE_MS = 30_000;

/** Where the newest `windowBytes` of the log begin, if its records are of even size. */
export function firstSeqWithin({ state }: StreamInfo, windowBytes: number): number {
  if (state.bytes <= windowBytes) return Math.max(1, state.first_seq);
  return state.last_seq + 1 - Math.floor((state.messages * windowBytes) / state.bytes);
}

/** Reads the stream from a record on, through a consumer on the broker that vanishes by itself soon after this pod is gone. */
export async function consumeFrom(bus: Bus, seq: number): Promise<ConsumerMessages> {
  const { name } = await bus.jsm.consumers.add(bus.stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: Math.max(1, seq),
    inactive_threshold: nanos(CONSUMER_LIFE_MS),
    mem_storage: true,
    num_replicas: 1,
  });
  const consumer = await bus.js.consumers.get(bus.stream, name);
  return consumer.consume({
    max_bytes: FETCHED_BYTES,
    threshold_bytes: FETCHED_BYTES / 2,
    threshold_messages: FEW_RECORDS,
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

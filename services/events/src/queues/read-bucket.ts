import type { Bus } from '@parley/shared/bus';
import { AckPolicy, type Consumer, DeliverPolicy, type JsMsg, nanos } from 'nats';

const ENTRIES_AT_ONCE = 1_000;
/** Timeout for the broker; its smallest possible value. */
const SILENCE_MS = 1_000;
/** After this silence there are no more messages, whatever the broker counts. */
const MOST_SILENCES = 3;
const CONSUMER_LIFE_MS = 10_000;

export interface BucketEntry {
  key: string;
  revision: number;
  /** By the broker's clock. */
  createdMs: number;
  /** Undefined: the key was removed. */
  value: Uint8Array | undefined;
}

/**
 * The entries of a key-value bucket without history, and its removed keys, each key once. Throws when some were lost on the way. Changes
 * during the read may be missing if there are more than 1,000.
 *
 * NOTE: not nats.js's KV.history(): it waits until as many entries have come as there were, for ever if one is removed meanwhile.
 */
export async function readBucket({ js, jsm }: Bus, bucket: string): Promise<BucketEntry[]> {
  const stream = `KV_${bucket}`;
  const prefix = `$KV.${bucket}.`;
  const { name, num_pending } = await jsm.consumers.add(stream, {
    filter_subject: `${prefix}>`,
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.All,
    inactive_threshold: nanos(CONSUMER_LIFE_MS),
    mem_storage: true,
    num_replicas: 1,
  });
  const consumer = await js.consumers.get(stream, name);
  const entries = new Map<string, BucketEntry>();
  // Changed during the read: its message comes again.
  for await (const message of readAll(consumer, num_pending)) {
    const entry = entryOf(message, prefix);
    entries.set(entry.key, entry);
  }
  // The broker removes it after inactivity, too.
  await consumer.delete().catch(() => {});
  return [...entries.values()];
}

/** Throws if the connection is interrupted: messages in transit are not sent again. */
async function* readAll(consumer: Consumer, count: number): AsyncGenerator<JsMsg> {
  let delivered = 0;
  // Limits the read of a bucket that changes all the time.
  const most = count + ENTRIES_AT_ONCE;
  for (let pending = count, silences = 0; pending > 0 && silences < MOST_SILENCES; ) {
    const before = delivered;
    for await (const message of await consumer.fetch({ max_messages: ENTRIES_AT_ONCE, expires: SILENCE_MS })) {
      delivered += 1;
      requireAll(message.info.deliverySequence, delivered);
      pending = message.info.pending;
      yield message;
      if (pending === 0 || delivered === most) return;
    }
    if (delivered > before) continue;
    // Silence: the rest may have been removed meanwhile.
    const info = await consumer.info();
    requireAll(info.delivered.consumer_seq, delivered);
    pending = info.num_pending;
    silences += 1;
  }
}

function requireAll(sent: number, received: number): void {
  if (sent !== received) throw new Error('entries of the bucket were lost on their way');
}

function entryOf({ subject, seq, info, headers, data }: JsMsg, prefix: string): BucketEntry {
  return {
    key: subject.slice(prefix.length),
    revision: seq,
    createdMs: info.timestampNanos / 1_000_000,
    value: headers?.get('KV-Operation') ? undefined : data,
  };
}

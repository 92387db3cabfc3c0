import type { Bus } from '@parley/shared/bus';
import { AckPolicy, type Consumer, DeliverPolicy, type JsMsg, nanos } from 'nats';

const ENTRIES_AT_ONCE = 1_000;
/** The broker is done, if it has nothing more for so long. The shortest time that it takes. */
const SILENCE_MS = 1_000;
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
 * What a key-value bucket holds, and which keys were removed from it, each key once.
 * NOTE: nats.js would count: its KV.history() waits until as many have come as there were, and for ever for one that is removed meanwhile.
 */
export async function readBucket({ js, jsm }: Bus, bucket: string): Promise<BucketEntry[]> {
  const stream = `KV_${bucket}`;
  const prefix = `$KV.${bucket}.`;
  const { name, num_pending } = await jsm.consumers.add(stream, {
    filter_subject: `${prefix}>`,
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.LastPerSubject,
    inactive_threshold: nanos(CONSUMER_LIFE_MS),
    mem_storage: true,
    num_replicas: 1,
  });
  const consumer = await js.consumers.get(stream, name);
  const entries = new Map<string, BucketEntry>();
  // Changed while it is read: it comes again.
  for await (const message of readAll(consumer, num_pending)) {
    const entry = entryOf(message, prefix);
    entries.set(entry.key, entry);
  }
  // It vanishes by itself, too.
  await consumer.delete().catch(() => {});
  return [...entries.values()];
}

async function* readAll(consumer: Consumer, count: number): AsyncGenerator<JsMsg> {
  for (let pending = count; pending > 0; ) {
    let isSilent = true;
    for await (const message of await consumer.fetch({ max_messages: ENTRIES_AT_ONCE, expires: SILENCE_MS })) {
      isSilent = false;
      pending = message.info.pending;
      yield message;
      if (pending === 0) return;
    }
    if (isSilent) return;
  }
}

function entryOf({ subject, seq, info, headers, data }: JsMsg, prefix: string): BucketEntry {
  return {
    key: subject.slice(prefix.length),
    revision: seq,
    createdMs: info.timestampNanos / 1_000_000,
    value: headers?.get('KV-Operation') ? undefined : data,
  };
}

import { type Bus, connectBus } from '@parley/shared/bus';
import { silentLogger } from '@parley/shared/service';
import { testPrefix, testServers } from '@parley/shared/testing';
import type { KV } from 'nats';
import { readBucket } from '../src/queues/read-bucket';

const KEYS = 2_000;
const WRITERS = 300;

/** So many at once that a busy machine stores them before the broker's client loses its patience. */
const SLICE = 250;

let bus: Bus;
const prefix = testPrefix();
const name = `${prefix}bucket`;
beforeAll(async () => {
  bus = await connectBus({ url: testServers().natsUrl, prefix, name: 'test', log: silentLogger });
});
afterAll(async () => {
  await bus.jsm.streams.delete(`KV_${name}`);
  await bus.close();
});

test('a bucket is read whole, and to an end, while others write into it all the time', async () => {
  const bucket = await bus.js.views.kv(name, { history: 1 });
  const keys = Array.from({ length: KEYS }, (_, index) => `key-${index}`);
  for (let at = 0; at < KEYS; at += SLICE) {
    await Promise.all(keys.slice(at, at + SLICE).map((key) => bucket.put(key, key)));
  }
  const stopping = new AbortController();
  const writing = Array.from({ length: WRITERS }, (_, writer) =>
    writeUntil(stopping.signal, bucket, `passing-${writer}`),
  );
  try {
    for (let round = 0; round < 5; round += 1) {
      const entries = await readBucket(bus, name);
      const found = entries.filter(({ key, value }) => value && Buffer.from(value).toString() === key);
      expect(found.map(({ key }) => key).sort()).toEqual([...keys].sort());
    }
  } finally {
    stopping.abort();
    await Promise.all(writing);
  }
});

async function writeUntil(stopping: AbortSignal, bucket: KV, key: string): Promise<void> {
  while (!stopping.aborted) {
    try {
      await bucket.put(key, '');
      await bucket.delete(key);
    } catch {
      // A busy machine may be late; the next round writes again.
    }
  }
}

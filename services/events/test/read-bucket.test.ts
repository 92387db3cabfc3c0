import { connectBus } from '@parley/shared/bus';
import { silentLogger } from '@parley/shared/service';
import { testPrefix, testServers } from '@parley/shared/testing';
import { readBucket } from '../src/queues/read-bucket';

const KEYS = 2_000;
const WRITERS = 300;

test('a bucket is read whole, and to an end, while others write into it all the time', async () => {
  const prefix = testPrefix();
  const bus = await connectBus({ url: testServers().natsUrl, prefix, name: 'test', log: silentLogger });
  const name = `${prefix}bucket`;
  const bucket = await bus.js.views.kv(name, { history: 1 });
  const keys = Array.from({ length: KEYS }, (_, index) => `key-${index}`);
  await Promise.all(keys.map((key) => bucket.put(key, key)));
  const stopping = new AbortController();
  const writing = Array.from({ length: WRITERS }, async (_, writer) => {
    while (!stopping.signal.aborted) {
      await bucket.put(`passing-${writer}`, '');
      await bucket.delete(`passing-${writer}`);
    }
  });
  for (let round = 0; round < 5; round += 1) {
    const entries = await readBucket(bus, name);
    const found = entries.filter(({ key, value }) => value && Buffer.from(value).toString() === key);
    expect(found.map(({ key }) => key).sort()).toEqual([...keys].sort());
  }
  stopping.abort();
  await Promise.all(writing);
  await bus.jsm.streams.delete(`KV_${name}`);
  await bus.close();
});

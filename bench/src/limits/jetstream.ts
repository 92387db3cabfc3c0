import { connect, StorageType } from 'nats';
import { type LoadResult, load } from '../load';

/** Acknowledged JetStream publishes of 1 KB, 32 at once. */
export async function measurePublishes(natsUrl: string): Promise<LoadResult> {
  const connection = await connect({ servers: natsUrl });
  const manager = await connection.jetstreamManager();
  await manager.streams.add({ name: 'BENCH', subjects: ['bench.>'], storage: StorageType.File });
  const js = connection.jetstream();
  const body = Buffer.alloc(1024, 'x');
  const result = await load(() => js.publish('bench.limit', body), {
    concurrency: 32,
    warmUpMs: 500,
    measureMs: 3_000,
  });
  await manager.streams.delete('BENCH');
  await connection.close();
  return result;
}

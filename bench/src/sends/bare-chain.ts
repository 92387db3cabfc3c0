import path from 'node:path';
import { connect, StorageType } from 'nats';
import pg from 'pg';
import { type ChildServer, startChild } from '../base/child';

/** The reference for POST /messages: two processes that do only HTTP form → gRPC → one batched insert → one publish. */
export async function startBareChain(
  databaseUrl: string,
  natsUrl: string,
): Promise<Pick<ChildServer, 'address' | 'stop'>> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  await pool.query('drop table if exists bench_message');
  await pool.query('create table bench_message (id bigserial primary key, topic text, content text)');
  const connection = await connect({ servers: natsUrl });
  const manager = await connection.jetstreamManager();
  await manager.streams.add({ name: 'BARE', subjects: ['bench.sent'], storage: StorageType.File });

  const store = await startChild(path.join(__dirname, 'bare-store.js'), [databaseUrl, natsUrl]);
  const gateway = await startChild(path.join(__dirname, 'bare-gateway.js'), [store.address]);
  return {
    address: gateway.address,
    async stop() {
      await gateway.stop();
      await store.stop();
      await manager.streams.delete('BARE');
      await connection.close();
      await pool.query('drop table bench_message');
      await pool.end();
    },
  };
}

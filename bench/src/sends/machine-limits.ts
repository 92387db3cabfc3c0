import path from 'node:path';
import * as grpc from '@grpc/grpc-js';
import { connect, StorageType } from 'nats';
import pg from 'pg';
import { type ChildServer, startChild } from '../base/child';
import { measureThroughput, type Throughput } from '../base/measure';

/** Durable single-row commits at 32 connections: what the disk and PostgreSQL allow. */
export async function measureCommits(databaseUrl: string): Promise<Throughput> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 32 });
  await pool.query('create table if not exists bench_commit (id bigserial primary key, a text, b text)');
  const values = ['x'.repeat(285), 'y'.repeat(285)];
  const insert = { name: 'bench-insert', text: 'insert into bench_commit (a, b) values ($1, $2)', values };
  const result = await measureThroughput(() => pool.query(insert), {
    concurrency: 32,
    warmUpMs: 500,
    measureMs: 3_000,
  });
  await pool.query('drop table bench_commit');
  await pool.end();
  return result;
}

const WINDOW = { 'grpc-node.flow_control_window': 8 * 1024 * 1024 };

/** Unary calls of 1 KB to a second process that only replies, 32 at once over two channels. */
export async function measureUnaryCalls(): Promise<Throughput> {
  const server: ChildServer = await startChild(path.join(__dirname, 'echo-server.js'), []);
  const channels = [0, 1].map(
    () =>
      new grpc.Client(server.address, grpc.credentials.createInsecure(), {
        ...WINDOW,
        'grpc.use_local_subchannel_pool': 1,
      }),
  );
  const payload = Buffer.alloc(1024, 'x');
  const identity = (bytes: Buffer) => bytes;
  let turn = 0;
  const call = () =>
    new Promise((resolve, reject) => {
      turn = 1 - turn;
      (channels[turn] as grpc.Client).makeUnaryRequest(
        '/bench.Echo/Echo',
        identity,
        identity,
        payload,
        (error, answer) => (error ? reject(error) : resolve(answer)),
      );
    });
  const result = await measureThroughput(call, { concurrency: 32, warmUpMs: 1_000, measureMs: 3_000 });
  for (const channel of channels) channel.close();
  await server.stop();
  return result;
}

/** Acknowledged JetStream publishes of 1 KB, 32 at once. */
export async function measurePublishes(natsUrl: string): Promise<Throughput> {
  const connection = await connect({ servers: natsUrl });
  const manager = await connection.jetstreamManager();
  await manager.streams.add({ name: 'BENCH', subjects: ['bench.>'], storage: StorageType.File });
  const js = connection.jetstream();
  const body = Buffer.alloc(1024, 'x');
  const result = await measureThroughput(() => js.publish('bench.limit', body), {
    concurrency: 32,
    warmUpMs: 500,
    measureMs: 3_000,
  });
  await manager.streams.delete('BENCH');
  await connection.close();
  return result;
}

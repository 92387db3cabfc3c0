import path from 'node:path';
import * as grpc from '@grpc/grpc-js';
import { type ChildServer, startChild } from '../child';
import { type LoadResult, load } from '../load';

const WINDOW = { 'grpc-node.flow_control_window': 8 * 1024 * 1024 };

/** Unary calls of 1 KB to a second process that only answers, 32 at once over two channels. */
export async function measureUnaryCalls(): Promise<LoadResult> {
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
  const result = await load(call, { concurrency: 32, warmUpMs: 1_000, measureMs: 3_000 });
  for (const channel of channels) channel.close();
  await server.stop();
  return result;
}

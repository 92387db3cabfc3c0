import * as grpc from '@grpc/grpc-js';
import { batched } from '@parley/shared/batch';
import { connect } from 'nats';
import pg from 'pg';

// The second process of the bare chain: one batched durable insert and one publish per batch, nothing else.
// Arguments: PostgreSQL address, NATS address.
const [databaseUrl, natsUrl] = process.argv.slice(2);
const INSERT = `insert into bench_message (topic, content)
  select topic, content from unnest($1::text[], $2::text[]) as input (topic, content) returning id`;

interface Send {
  topic: string;
  content: string;
}

async function main(): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  const connection = await connect({ servers: natsUrl as string });
  const js = connection.jetstream();
  const store = batched<Send, number>(
    async (sends) => {
      const values = [sends.map(({ topic }) => topic), sends.map(({ content }) => content)];
      const { rows } = await pool.query({ name: 'store', text: INSERT, values });
      await js.publish('bench.sent', JSON.stringify(sends));
      return rows.map(({ id }) => Number(id));
    },
    { maxItems: 64, maxInFlight: 2 },
  );
  serve(store);
}

function serve(store: (send: Send) => Promise<number>): void {
  const identity = (bytes: Buffer) => bytes;
  const method = {
    path: '/bench.Store/Send',
    requestStream: false,
    responseStream: false,
    requestSerialize: identity,
    requestDeserialize: identity,
    responseSerialize: identity,
    responseDeserialize: identity,
  };
  const send: grpc.handleUnaryCall<Buffer, Buffer> = (call, respond) => {
    store(JSON.parse(call.request.toString())).then(
      (id) => respond(null, Buffer.from(String(id))),
      (error) => respond(error),
    );
  };
  const server = new grpc.Server({ 'grpc-node.flow_control_window': 8 * 1024 * 1024 });
  server.addService({ Send: method }, { Send: send });
  server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (_error, port) => {
    process.send?.({ started: `127.0.0.1:${port}` });
  });
}

process.on('disconnect', () => process.exit(0));
void main();

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'node:querystring';
import * as grpc from '@grpc/grpc-js';

// The first process of the bare chain: HTTP form → gRPC, nothing else. Argument: address of the second process.
const [storeAddress] = process.argv.slice(2);
const options = { 'grpc-node.flow_control_window': 8 * 1024 * 1024, 'grpc.use_local_subchannel_pool': 1 };
const channels = [0, 1].map(() => new grpc.Client(storeAddress as string, grpc.credentials.createInsecure(), options));
const identity = (bytes: Buffer) => bytes;
let turn = 0;

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { topic, content } = parse(Buffer.concat(chunks).toString());
    send(Buffer.from(JSON.stringify({ topic, content })), (error, id) => {
      const body = error ? '{"result":"error"}' : `{"result":"success","msg":"","id":${id}}`;
      response.writeHead(error ? 500 : 200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    });
  });
});

function send(bytes: Buffer, respond: (error: grpc.ServiceError | null, answer?: Buffer) => void): void {
  turn = 1 - turn;
  (channels[turn] as grpc.Client).makeUnaryRequest('/bench.Store/Send', identity, identity, bytes, respond);
}

server.listen(0, '127.0.0.1', () => {
  process.send?.({ started: `127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('disconnect', () => process.exit(0));

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectRpc, newCall } from '@parley/shared/rpc';

// The first process of the bare request: HTTP → one call → JSON as it came; or for `/<number>` so many bytes. Argument: address of the second process.
const caller = () => ({ ...newCall(), realmId: 1, userId: 1 });
const { client } = connectRpc('messages', process.argv[2] as string);

async function askStore(content: string): Promise<Buffer> {
  const { rendered } = await client.renderContent(caller(), { content });
  return Buffer.from(rendered);
}

let memory = Buffer.alloc(0);

function bytesInMemory(count: number): Buffer {
  if (memory.length < count) memory = Buffer.alloc(count, 'x');
  return memory.subarray(0, count);
}

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    try {
      const bytes = Number(request.url?.slice(1));
      const body = bytes > 0 ? bytesInMemory(bytes) : await askStore(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
});

server.listen(0, '127.0.0.1', () => {
  process.send?.({ started: `127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('disconnect', () => process.exit(0));

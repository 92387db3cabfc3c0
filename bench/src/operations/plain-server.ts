import http from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

// The limit to measure against: one HTTP hop that runs the SQL in the request's body and answers the first column of the first
// row, which is JSON already. Argument: the address of the database.
const pool = new pg.Pool({ connectionString: process.argv[2] as string, max: 4 });

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    try {
      const { rows } = await pool.query({ text: Buffer.concat(chunks).toString(), rowMode: 'array' });
      const body = Buffer.from(rows[0]?.[0] ?? '{}');
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

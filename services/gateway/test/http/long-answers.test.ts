import http, { type IncomingMessage } from 'node:http';
import net from 'node:net';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { endpoint } from '../../src/http/endpoint';
import { JsonPieces } from '../../src/http/json-pieces';
import { basic, IAGO, startGateway, type TestGateway } from '../gateway';

/** More than the buffers of a connection take: large and small pieces. */
const TEXTS = Array.from({ length: 3_000 }, (_, nth) => 'ä'.repeat(nth % 100 === 0 ? 100_000 : 1_000));
const PIECES = TEXTS.map((text, nth) => Buffer.from(`${nth === 0 ? '[' : ','}"${text}"`));

const long = endpoint({
  method: 'GET',
  path: '/test/long',
  summary: 'Answers much',
  auth: 'none',
  parameters: {},
  result: z.strictObject({ texts: z.array(z.string()) }),
  errors: [],
  handler: async () => ({ texts: new JsonPieces([...PIECES, Buffer.from(']')]) }),
});

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({}, { endpoints: [long] });
});
afterAll(() => gateway.stop());

const PATH = '/api/v1/test/long';

function open(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: basic(IAGO) };
    http.get(`http://${gateway.address}${PATH}`, { agent: false, headers }, resolve).on('error', reject);
  });
}

test('a long answer arrives whole where the client reads it late, and delays no others meanwhile', async () => {
  const late = await open();
  expect((await gateway.request({ path: PATH })).json.texts).toEqual(TEXTS);
  const body = await buffer(late);
  expect(late.headers['content-length']).toBe(String(body.length));
  expect(JSON.parse(body.toString())).toEqual({ result: 'success', msg: '', texts: TEXTS });
});

test('long answers to requests that follow at once on a connection arrive one after the other', async () => {
  const request = `GET ${PATH} HTTP/1.1\r\nHost: chat.example\r\n`;
  const [host, port] = gateway.address.split(':');
  const socket = net.connect(Number(port), host);
  socket.write(`${request}\r\n${request}Connection: close\r\n\r\n`);
  const [, ...answers] = (await buffer(socket)).toString().split('HTTP/1.1 200 OK');
  const bodies = answers.map((answer) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))).texts);
  expect(bodies).toEqual([TEXTS, TEXTS]);
});

test('a client that hangs up before the end leaves the gateway serving others', async () => {
  const late = await open();
  late.destroy();
  expect((await gateway.request({ path: PATH })).json.texts).toHaveLength(TEXTS.length);
});

import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { basic, IAGO, startGateway, type TestGateway } from '../gateway';

/** More than the buffers of a connection and a parser together. */
const LARGE = 'x'.repeat(2 * 1024 * 1024);
const PATH_ID = `1/ab/${'u'.repeat(24)}/a.txt`;

let directory: string;
let gateway: TestGateway;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'parley-refused-'));
  gateway = await startGateway({ DATA_DIR: directory });
  const progress = { pathId: PATH_ID, name: 'a.txt', size: 10, partEnds: [], partAttempts: [], isStored: false };
  Object.assign(gateway.messages.answers, {
    beginUpload: async () => ({}),
    forgetUploads: async () => ({}),
    getUploadProgress: async () => progress,
  });
});

afterAll(async () => {
  await gateway.stop();
  await rm(directory, { recursive: true, force: true });
});

function requestOf(method: string, place: string, headers: Record<string, string> = {}, body = ''): string {
  const all = { Host: 'chat.example', Authorization: basic(IAGO), 'Content-Length': String(body.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${place} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

function formOf(filename: string): string {
  const head = `Content-Disposition: form-data; name="f"; filename="${filename}"`;
  const headers = { 'Content-Type': 'multipart/form-data; boundary=B' };
  return requestOf('POST', '/api/v1/user_uploads', headers, `--B\r\n${head}\r\n\r\n${LARGE}\r\n--B--\r\n`);
}

function partOf(body: string): string {
  const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
  return requestOf('PATCH', `/api/v1/tus/${PATH_ID}`, headers, body);
}

/** The status of a request's answer. Resolves once a second one on the same connection is answered. */
async function statusBefore(request: string): Promise<number> {
  const next = requestOf('GET', '/api/v1/nowhere', { 'X-Request-Id': 'the-next' });
  const answers = await gateway.raw(request + next, 'the-next');
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answers)?.[1]);
}

test.each([
  ['a form that breaks the rules', () => formOf('a\0b'), 400],
  ['a part longer than the upload', () => partOf(LARGE), 413],
])('the rest of %s is dropped, and the connection stays usable', async (_what, request, status) => {
  expect(await statusBefore(request())).toBe(status);
});

describe('when nothing can be stored', () => {
  const incoming = () => path.join(directory, 'uploads', 'incoming');

  beforeAll(async () => {
    await rm(incoming(), { recursive: true, force: true });
    await mkdir(path.dirname(incoming()), { recursive: true });
    // A folder in which no file can be made, not even by root.
    await symlink('/proc', incoming());
  });

  test.each([
    ['a form', () => formOf('a.txt')],
    ['a part', () => partOf('0123456789')],
  ])('%s is answered, and the connection stays usable', async (_what, request) => {
    expect(await statusBefore(request())).toBe(500);
  });
});

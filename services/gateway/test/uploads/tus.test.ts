import { readdir, stat } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BadRequestError, RealmUploadQuotaError } from '@parley/shared/errors';
import type { AdvanceUploadRequest, BeginUploadRequest, UploadProgress } from '@parley/shared/proto';
import { until } from '@parley/shared/testing';
import { basic, IAGO, startGateway, type TestAnswer, type TestGateway } from '../gateway';

const MIB = 1024 * 1024;
const directory = path.join(tmpdir(), `parley-tus-${process.pid}`);
let gateway: TestGateway;
let other: TestGateway;

const rows = new Map<string, UploadProgress>();
const rowOf = (pathId: string) => {
  const row = rows.get(pathId);
  if (!row) throw new BadRequestError('File not found', {}, 404);
  return row;
};

const answers = {
  beginUpload: async (_call: unknown, request: BeginUploadRequest) => {
    rows.set(request.pathId, { ...request, partEnds: [], partAttempts: [], isStored: false });
    return rowOf(request.pathId);
  },
  getUploadProgress: async (_call: unknown, { pathId }: { pathId: string }) => structuredClone(rowOf(pathId)),
  advanceUpload: async (_call: unknown, { pathId, fromOffset, toOffset, attempt }: AdvanceUploadRequest) => {
    const row = rowOf(pathId);
    if ((row.partEnds.at(-1) ?? 0) !== fromOffset) throw new BadRequestError('Mismatched offset', {}, 409);
    row.partEnds.push(toOffset);
    row.partAttempts.push(attempt as string);
    return structuredClone(row);
  },
  completeUpload: async (_call: unknown, { pathId, size }: { pathId: string; size: number }) => {
    rowOf(pathId).isStored = true;
    return { id: 1, name: rowOf(pathId).name, pathId, size, createdAtMs: 0, messages: [] };
  },
  forgetUploads: async () => ({}),
  getUpload: async (_call: unknown, { pathId }: { pathId: string }) => ({
    ...rowOf(pathId),
    image: null,
    thumbnails: 'none',
  }),
};

beforeAll(async () => {
  const settings = { DATA_DIR: directory, MAX_FILE_UPLOAD_SIZE_MIB: 1 };
  [gateway, other] = await Promise.all([startGateway(settings), startGateway(settings)]);
  for (const each of [gateway, other]) Object.assign(each.messages.answers, answers);
});

afterAll(() => Promise.all([gateway.stop(), other.stop()]));

interface Options {
  headers?: Record<string, string>;
  body?: string | Buffer;
  at?: TestGateway;
  as?: false;
}

const tus = (method: string, url: string, { headers = {}, body, at = gateway, as }: Options = {}) =>
  at.request({
    method,
    path: url,
    headers: { 'Tus-Resumable': '1.0.0', ...headers },
    ...(body !== undefined && { body }),
    ...(as === false && { as }),
  });

const metadata = (entries: Record<string, string>) =>
  Object.entries(entries)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');

const create = (length: number, headers: Record<string, string> = {}) =>
  tus('POST', '/api/v1/tus/', {
    headers: {
      'Upload-Length': String(length),
      'Upload-Metadata': metadata({ filename: 'Notes für me.txt', filetype: 'text/plain' }),
      ...headers,
    },
  });

/** The path of what was created. */
const urlOf = ({ headers }: TestAnswer) => new URL(headers.location as string).pathname;

const patch = (url: string, offset: number, body: string | Buffer, options: Options = {}) =>
  tus('PATCH', url, {
    ...options,
    body,
    headers: { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(offset), ...options.headers },
  });

const offsetAt = async (url: string, at = gateway) => (await tus('HEAD', url, { at })).headers['upload-offset'];

const EXTENSIONS = 'creation,creation-with-upload,termination';

test.each(['/api/v1/tus/', '/api/v1/tus', `/api/v1/tus/2/a/${'s'.repeat(24)}/a.txt`])(
  'OPTIONS lists the supported extensions: %s',
  async (address) => {
    const { status, headers } = await gateway.request({ method: 'OPTIONS', path: address, as: false });
    expect(status).toBe(204);
    expect(headers).toMatchObject({ 'tus-version': '1.0.0', 'tus-extension': EXTENSIONS, 'tus-max-size': String(MIB) });
  },
);

test('a file is uploaded in parts, through any gateway, and the last part answers its address', async () => {
  const created = await create(11);
  expect(created.status).toBe(201);
  expect(created.headers.location).toMatch(`http://${gateway.address}/api/v1/tus/`);
  const url = urlOf(created);
  expect(url).toMatch(/^\/api\/v1\/tus\/\d+\/[0-9a-f]{1,2}\/[\w-]{24}\/Notes-fr-me\.txt$/);
  const first = await patch(url, 0, 'hello');
  expect([first.status, first.headers['upload-offset'], first.headers['tus-resumable']]).toEqual([204, '5', '1.0.0']);
  expect(await offsetAt(url, other)).toBe('5');
  const last = await patch(url, 5, ' world', { at: other });
  const file = url.replace('/api/v1/tus/', '/user_uploads/');
  expect([last.status, last.json]).toEqual([200, { url: file, filename: 'Notes-fr-me.txt' }]);
  const [host, port] = gateway.address.split(':');
  const served = await fetch(`http://${host}:${port}${file}`, { headers: { Authorization: basic(IAGO) } });
  expect(await served.text()).toBe('hello world');
  const head = await tus('HEAD', url);
  const described = metadata({ filename: 'Notes-fr-me.txt', filetype: 'text/plain' });
  expect(head.headers).toMatchObject({ 'upload-offset': '11', 'upload-length': '11', 'upload-metadata': described });
  expect(head.headers['cache-control']).toContain('no-store');
});

describe('the first bytes may come with the creation', () => {
  const type = { 'Content-Type': 'application/offset+octet-stream' };
  const begin = (body: string, headers: Record<string, string> = type, at = '/api/v1/tus') =>
    tus('POST', at, { body, headers: { 'Upload-Length': '11', ...headers } });

  test.each(['/api/v1/tus', '/api/v1/tus/'])('at %s', async (at) => {
    const begun = await begin('hello', type, at);
    expect([begun.status, begun.headers['upload-offset'], begun.text]).toEqual([201, '5', '']);
    expect(await offsetAt(urlOf(begun), other)).toBe('5');
    const { json } = await patch(urlOf(begun), 5, ' world', { at: other });
    expect(json.url).toBe(urlOf(begun).replace('/api/v1/tus/', '/user_uploads/'));
  });

  test('and may be the whole file', async () => {
    const { status, headers, json } = await begin('hello world');
    expect([status, headers['upload-offset'], json.filename]).toEqual([201, '11', 'uploaded-file']);
    expect(rowOf(json.url.replace('/user_uploads/', '')).isStored).toBe(true);
  });

  test('are refused, not ignored, when they are too many or of another type', async () => {
    const before = rows.size;
    expect((await begin('hello', { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await begin('hello', {})).status).toBe(415);
    expect(rows.size).toBe(before);
    expect((await begin('hello world!')).status).toBe(413);
    expect(gateway.messages.last('forgetUploads')).toMatchObject({ places: [{ pathId: expect.any(String) }] });
  });
});

test('addresses are those that the client has used, with the scheme from the proxy', async () => {
  const locationFor = async (headers: Record<string, string>) => (await create(5, headers)).headers.location;
  expect(await locationFor({ Host: 'chat.example' })).toMatch('https://chat.example/api/v1/tus/');
  expect(await locationFor({ 'X-Forwarded-Proto': 'https' })).toMatch(`https://${gateway.address}/api/v1/tus/`);
});

test('an upload can be deleted with its bytes until it is complete', async () => {
  const url = urlOf(await create(5));
  await patch(url, 0, 'he');
  const { status, headers } = await tus('DELETE', url);
  expect([status, headers['tus-resumable']]).toEqual([204, '1.0.0']);
  expect(gateway.messages.last('forgetUploads')).toMatchObject({
    places: [{ pathId: url.replace('/api/v1/tus/', '') }],
  });
  const whole = urlOf(await create(1));
  await patch(whole, 0, 'x');
  expect((await tus('DELETE', whole)).status).toBe(403);
  expect((await tus('DELETE', whole, { as: false })).status).toBe(401);
});

test('a method may be named in a header', async () => {
  const url = urlOf(await create(2));
  const headers = { 'X-HTTP-Method-Override': 'PATCH', 'Content-Type': 'application/offset+octet-stream' };
  const answer = await tus('POST', url, { body: 'hi', headers: { ...headers, 'Upload-Offset': '0' } });
  expect([answer.status, answer.json.filename]).toEqual([200, 'Notes-fr-me.txt']);
  expect((await tus('POST', url)).status).toBe(405);
});

test('an empty file is complete at once', async () => {
  const { status, json } = await create(0);
  expect([status, json.filename]).toEqual([201, 'Notes-fr-me.txt']);
});

test('bytes received before the connection broke are kept', async () => {
  const url = urlOf(await create(10));
  // If the connection breaks before the gateway has begun to read, nothing is kept.
  for (let afterMs = 50; (await offsetAt(url)) !== '5'; afterMs *= 2) await sendHalf(url, afterMs);
  expect((await patch(url, 5, 'world')).status).toBe(200);
});

describe('a part that still arrives at one gateway after the client has moved to another', () => {
  const ends: [string, (socket: net.Socket) => Promise<void>][] = [
    ['breaks off', async (socket) => void socket.destroy()],
    [
      'is complete, and the client gets 409',
      async (socket) => {
        const answer = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes))));
        socket.write('WORLD');
        expect(await answer).toMatch(/^HTTP\/1\.1 409 [\s\S]*Mismatched offset/);
        socket.destroy();
      },
    ],
  ];

  test.each(ends)('is discarded when it %s', async (_how, end) => {
    const url = urlOf(await create(10));
    const pathId = url.replace('/api/v1/tus/', '');
    const socket = beginHalf(url, 'HELLO');
    await until(async () => (await sizesIn('incoming')).includes(5));
    expect((await patch(url, 0, 'hello', { at: other })).status).toBe(204);
    await end(socket);
    await until(() => hasAdvanced(pathId));
    await until(async () => (await sizesIn(`parts/${pathId}`)).length === 1);
    const { json } = await patch(url, 5, 'world', { at: other });
    const [host, port] = other.address.split(':');
    const served = await fetch(`http://${host}:${port}${json.url}`, { headers: { Authorization: basic(IAGO) } });
    expect(await served.text()).toBe('helloworld');
  });

  test('is discarded when the file is complete', async () => {
    const url = urlOf(await create(10));
    const pathId = url.replace('/api/v1/tus/', '');
    const socket = beginHalf(url, 'HELLO');
    await until(async () => (await sizesIn('incoming')).includes(5));
    expect((await patch(url, 0, 'helloworld', { at: other })).status).toBe(200);
    socket.destroy();
    await until(() => hasAdvanced(pathId));
    await until(async () => (await sizesIn(`parts/${pathId}`)).length === 0);
  });
});

test('a file that two gateways complete at once is complete at both', async () => {
  const url = urlOf(await create(10));
  await patch(url, 0, 'hello');
  const { completeUpload } = gateway.messages.answers;
  gateway.messages.answers.completeUpload = async () => {
    // The other one has completed the file and deleted the parts while this one completes it.
    await offsetAt(url, other);
    throw new BadRequestError('File not found', {}, 404);
  };
  const last = await patch(url, 5, 'world');
  gateway.messages.answers.completeUpload = completeUpload;
  expect([last.status, last.json.filename]).toEqual([200, 'Notes-fr-me.txt']);
});

/** Whether the first gateway has received a part of the file, complete or not. */
const hasAdvanced = (pathId: string) =>
  gateway.messages.seen.some(
    ({ method, request }) => method === 'advanceUpload' && (request as AdvanceUploadRequest).pathId === pathId,
  );

/** The sizes of the files in a folder of the store. */
async function sizesIn(folder: string): Promise<number[]> {
  const place = path.join(directory, 'uploads', folder);
  const names = await readdir(place).catch(() => [] as string[]);
  const found = await Promise.all(names.map((name) => stat(path.join(place, name)).catch(() => null)));
  return found.flatMap((file) => file?.size ?? []);
}

/** Sends the beginning of ten bytes, and keeps the connection open. */
function beginHalf(url: string, beginning: string, whenSent = () => {}): net.Socket {
  const [host, port] = gateway.address.split(':');
  const head = [
    `PATCH ${url} HTTP/1.1`,
    'Host: chat.example',
    `Authorization: ${basic(IAGO)}`,
    'Tus-Resumable: 1.0.0',
    'Content-Type: application/offset+octet-stream',
    'Upload-Offset: 0',
    'Content-Length: 10',
  ];
  const socket = net.connect(Number(port), host, () =>
    socket.write(`${head.join('\r\n')}\r\n\r\n${beginning}`, whenSent),
  );
  return socket;
}

function sendHalf(url: string, breaksOffAfterMs: number): Promise<void> {
  return new Promise<void>((resolve) => {
    const socket = beginHalf(url, 'hello', () => setTimeout(() => socket.destroy(), breaksOffAfterMs));
    socket.on('close', () => resolve());
  });
}

test('a completion whose effect was lost is repeated when the client asks', async () => {
  const url = urlOf(await create(3));
  const { completeUpload } = gateway.messages.answers;
  gateway.messages.answers.completeUpload = () => Promise.reject(new Error('away'));
  expect((await patch(url, 0, 'abc')).status).toBe(500);
  gateway.messages.answers.completeUpload = completeUpload;
  expect(await offsetAt(url)).toBe('3');
  expect(rowOf(url.replace('/api/v1/tus/', '')).isStored).toBe(true);
});

describe('is refused, but never with 400, after which clients would retry:', () => {
  test.each([
    ['a file without a length', { 'Upload-Length': '', 'Upload-Defer-Length': '1' }, 422],
    ['a file that is too large', { 'Upload-Length': String(MIB + 1) }, 413],
    ['a length that is no number', { 'Upload-Length': '-1' }, 422],
    ['another version of the protocol', { 'Tus-Resumable': '0.2.2' }, 412],
  ])('%s', async (_what, headers, status) => {
    expect((await create(1, headers)).status).toBe(status);
  });

  test('a file of deferred length', async () => {
    const answer = await tus('POST', '/api/v1/tus/', { headers: { 'Upload-Defer-Length': '1' } });
    expect([answer.status, answer.json]).toEqual([411, { message: 'Upload-Length is required' }]);
  });

  test('one that exceeds the quota', async () => {
    gateway.messages.answers.beginUpload = () => Promise.reject(new RealmUploadQuotaError());
    const { status, json } = await create(1);
    gateway.messages.answers.beginUpload = answers.beginUpload as typeof gateway.messages.answers.beginUpload;
    expect([status, json]).toEqual([413, { message: "Upload would exceed your organization's upload quota." }]);
  });

  test('a stranger, a part elsewhere than at the end, one of another type, one that is too long', async () => {
    expect((await tus('POST', '/api/v1/tus/', { as: false })).status).toBe(401);
    const url = urlOf(await create(4));
    expect((await patch(url, 1, 'x')).status).toBe(409);
    expect((await patch(url, 0, 'x', { headers: { 'Content-Type': 'text/plain' } })).status).toBe(415);
    expect((await patch(url, 0, 'xxxxx')).status).toBe(413);
    expect(await offsetAt(url)).toBe('0');
    expect((await patch(url.replace(/Notes.*/, 'other'), 0, 'x')).status).toBe(404);
    expect((await patch('/api/v1/tus/1/..%2f/x/y', 0, 'x')).status).toBe(404);
  });
});

import { readdir } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { BadRequestError, RealmUploadQuotaError } from '@parley/shared/errors';
import type { BeginUploadRequest, CompleteUploadRequest, UploadedImage } from '@parley/shared/proto';
import { createFakeClock } from '@parley/shared/testing';
import { VISITOR_ID } from '@parley/shared/values';
import sharp from 'sharp';
import {
  deleteAttachment,
  getAttachments,
  getTemporaryFileUrl,
  getThumbnailStatus,
  uploadFile,
} from '../../src/endpoints';
import { basic, IAGO, startGateway, type TestGateway } from '../gateway';

const MIB = 1024 * 1024;
const clock = createFakeClock();
const directory = path.join(tmpdir(), `parley-uploads-${process.pid}`);
let gateway: TestGateway;

interface File extends BeginUploadRequest {
  image: UploadedImage | null;
  isStored: boolean;
  partEnds: number[];
}

/** The rows of the messages service, as far as the gateway depends on them. */
const files = new Map<string, File>();
const settled: { pathId: string; isReady: boolean }[] = [];

const fileOf = (pathId: string) => {
  const file = files.get(pathId);
  if (!file) throw new BadRequestError('File not found', {}, 404);
  return file;
};

beforeAll(async () => {
  gateway = await startGateway(
    { DATA_DIR: directory, MAX_FILE_UPLOAD_SIZE_MIB: 2, UPLOAD_TOKEN_SECRET: 's'.repeat(32) },
    { clock },
  );
  Object.assign(gateway.messages.answers, {
    beginUpload: async (_call: unknown, request: BeginUploadRequest) => {
      files.set(request.pathId, { ...request, image: null, isStored: false, partEnds: [] });
      return fileOf(request.pathId);
    },
    getUploadProgress: async (_call: unknown, { pathId }: { pathId: string }) => fileOf(pathId),
    advanceUpload: async (_call: unknown, { pathId, toOffset }: { pathId: string; toOffset: number }) => {
      fileOf(pathId).partEnds.push(toOffset);
      return fileOf(pathId);
    },
    completeUpload: async (_call: unknown, { pathId, size, image }: CompleteUploadRequest) => {
      Object.assign(fileOf(pathId), { size, image, isStored: true });
      return { id: 1, name: fileOf(pathId).name, pathId, size, createdAtMs: 0, messages: [] };
    },
    getUpload: async (_call: unknown, { pathId }: { pathId: string }) => ({
      ...fileOf(pathId),
      thumbnails: fileOf(pathId).image ? 'pending' : 'none',
    }),
    settleThumbnails: async (_call: unknown, request: { pathId: string; isReady: boolean }) => {
      settled.push(request);
      return {};
    },
    forgetUploads: async (_call: unknown, { places }: { places: { pathId: string }[] }) => {
      for (const { pathId } of places) files.delete(pathId);
      return {};
    },
  });
});

afterAll(() => gateway.stop());

beforeEach(() => {
  files.clear();
  settled.length = 0;
});

interface Part {
  name?: string;
  filename?: string;
  type?: string;
  bytes: Buffer | string;
}

function multipart(parts: Part[]) {
  const boundary = 'BOUNDARY';
  const chunks = parts.flatMap(({ name = 'file', filename, type, bytes }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n`,
    type === undefined ? '\r\n' : `Content-Type: ${type}\r\n\r\n`,
    bytes,
    '\r\n',
  ]);
  const body = Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk)));
  return { body, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } };
}

const upload = (...parts: Part[]) =>
  gateway.request({ method: 'POST', path: `/api/v1${uploadFile.path}`, ...multipart(parts) });

interface Download {
  status: number;
  headers: http.IncomingHttpHeaders;
  bytes: Buffer;
}

function download(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Download> {
  const [host, port] = gateway.address.split(':');
  return new Promise((resolve, reject) => {
    const req = http.request(
      { host, port, path: encodeURI(url), method, agent: false, headers: { Authorization: basic(IAGO), ...headers } },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk) => chunks.push(chunk));
        res.on('end', () =>
          resolve({ status: res.statusCode as number, headers: res.headers, bytes: Buffer.concat(chunks) }),
        );
        res.on('error', reject);
      },
    );
    req.on('error', reject);
    req.end();
  });
}

/** Everything in the store. */
async function stored(): Promise<string[]> {
  const found = await readdir(path.join(directory, 'uploads'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
}

const picture = (format: 'png' | 'webp' | 'gif' | 'tiff' | 'avif' | 'jpeg') =>
  sharp({ create: { width: 1200, height: 900, channels: 3, background: 'teal' } })
    .toFormat(format)
    .toBuffer();

async function animation(): Promise<Buffer> {
  const frames = await Promise.all(
    ['red', 'blue'].map((background) =>
      sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
}

describe('uploading', () => {
  test('answers the address of the file, which serves its bytes', async () => {
    const { status, json } = await upload({ filename: 'my notes.txt', type: 'text/plain', bytes: 'hello' });
    expect(status).toBe(200);
    expect(json).toEqual({ result: 'success', msg: '', uri: json.url, url: json.url, filename: 'my notes.txt' });
    expect(json.url).toMatch(/^\/user_uploads\/\d+\/[0-9a-f]{1,2}\/[\w-]{24}\/my-notes\.txt$/);
    const { bytes, headers } = await download(json.url);
    expect(bytes.toString()).toBe('hello');
    expect(headers).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': "attachment; filename*=UTF-8''my-notes.txt",
      'content-length': '5',
      'cache-control': 'private, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-security-policy']).toContain('sandbox');
  });

  test('accepts exactly one file, in any field, and keeps nothing otherwise', async () => {
    const before = await stored();
    const other = { name: 'x', filename: 'b', bytes: '2' };
    expect((await upload({ name: 'whatever', filename: 'a', bytes: '1' })).status).toBe(200);
    files.clear();
    expect((await upload({ filename: 'a', bytes: '1' }, other)).json.msg).toBe(
      'You may only upload one file at a time',
    );
    expect((await upload({ name: 'text', bytes: '1' })).json.msg).toBe('You must specify a file to upload');
    const plain = await gateway.request({
      method: 'POST',
      path: '/api/v1/user_uploads',
      body: 'a=b',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(plain.json).toMatchObject({ code: 'BAD_REQUEST', msg: 'You must specify a file to upload' });
    const broken = multipart([{ filename: 'a', bytes: 'x'.repeat(1000) }]);
    expect(
      (
        await gateway.request({
          method: 'POST',
          path: '/api/v1/user_uploads',
          ...broken,
          body: broken.body.subarray(0, 500),
        })
      ).json.msg,
    ).toMatch(/^Malformed form/);
    expect([...files]).toEqual([]);
    expect(await stored()).toHaveLength(before.length + 1);
  });

  test('names the fields of the form beside the file, which nothing reads', async () => {
    const fields = ['zone', 'client', 'album', 'zone'].map((name) => ({ name, bytes: '1' }));
    const { json } = await upload(...fields, { filename: 'a', bytes: '1' });
    expect(json).toMatchObject({ result: 'success', ignored_parameters_unsupported: ['album', 'zone'] });
  });

  test('is accepted up to the limit, to the byte, and keeps nothing of a larger file', async () => {
    const before = await stored();
    const largest = Buffer.alloc(2 * MIB, 'x');
    const { json } = await upload({ filename: 'large', bytes: largest });
    expect((await download(json.url)).bytes.equals(largest)).toBe(true);
    const refused = await upload({ filename: 'larger', bytes: Buffer.alloc(2 * MIB + 1) });
    expect(refused.json).toMatchObject({
      code: 'BAD_REQUEST',
      msg: "File is larger than this server's configured maximum upload size (2 MiB).",
    });
    expect(await stored()).toHaveLength(before.length + 1);
  });

  test('is refused before the first byte when the quota is used up, and without credentials', async () => {
    const { beginUpload } = gateway.messages.answers;
    gateway.messages.answers.beginUpload = () => Promise.reject(new RealmUploadQuotaError());
    const before = await stored();
    expect((await upload({ filename: 'a', bytes: '1' })).json.code).toBe('REALM_UPLOAD_QUOTA');
    gateway.messages.answers.beginUpload = beginUpload;
    const stranger = await gateway.request({
      method: 'POST',
      path: '/api/v1/user_uploads',
      as: false,
      ...multipart([{ filename: 'a', bytes: '1' }]),
    });
    expect(stranger.status).toBe(401);
    expect(await stored()).toEqual(before);
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['..', 'uploaded-file'],
    ['!!!', 'uploaded-file'],
    ['a/b\\\\c.png', 'c.png'],
    ['%2e%2e%2fsecret.txt', '..secret.txt'],
    ['<img src=x onerror=alert(1)>.svg', 'img-srcx-onerroralert1.svg'],
    ['für  die – Küche.png', 'für-die-Küche.png'],
    [`${'ä'.repeat(300)}.jpeg`, `${'ä'.repeat(97)}.jpeg`],
  ])('a file called %j is kept as %j', async (filename, name) => {
    const { json } = await upload({ filename, bytes: 'x' });
    expect(json.url.split('/').at(-1)).toBe(name);
    expect(json.filename).not.toBe('');
    const keys = await stored();
    expect(keys.every((key) => key.startsWith(path.join(directory, 'uploads') + path.sep))).toBe(true);
    expect((await download(json.url)).bytes.toString()).toBe('x');
  });
});

describe('how a browser may use a file', () => {
  test.each([
    ['evil.html', 'text/html', 'attachment'],
    ['evil.svg', 'image/svg+xml', 'attachment'],
    ['evil.xhtml', 'application/xhtml+xml', 'attachment'],
    ['evil.js', 'text/javascript', 'attachment'],
    ['evil.png', 'image/png; charset="><script>', 'inline'],
    ['film.mp4', 'video/mp4', 'inline'],
    ['paper.pdf', 'application/pdf', 'inline'],
    ['page.bin', 'nonsense', 'attachment'],
  ])('%s of type %j has the disposition %s', async (filename, type, disposition) => {
    // A polyglot: a page for browsers that guess types, whatever its declared type.
    const { json } = await upload({ filename, type, bytes: 'GIF89a<script>alert(1)</script>' });
    const { headers } = await download(json.url);
    expect(headers['content-disposition']).toMatch(new RegExp(`^${disposition};`));
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect(headers['content-type']).not.toMatch(/[<>]/);
    expect(
      (await download(json.url.replace('/user_uploads/', '/user_uploads/download/'))).headers['content-disposition'],
    ).toMatch(/^attachment;/);
  });

  test('a range of a file is served on request', async () => {
    const { json } = await upload({ filename: 'a.mp4', type: 'video/mp4', bytes: '0123456789' });
    const part = await download(json.url, { Range: 'bytes=2-4' });
    expect(part).toMatchObject({ status: 206, headers: { 'content-range': 'bytes 2-4/10' } });
    expect(part.bytes.toString()).toBe('234');
    expect((await download(json.url, { Range: 'bytes=-3' })).bytes.toString()).toBe('789');
    expect((await download(json.url, { Range: 'bytes=10-' })).status).toBe(416);
    expect((await download(json.url, { Range: 'bytes=1-2,4-5' })).bytes.toString()).toBe('0123456789');
    const head = await download(json.url, {}, 'HEAD');
    expect([head.headers['content-length'], head.bytes.length]).toEqual(['10', 0]);
  });

  test('a refusal is a page, or a picture where one was requested', async () => {
    const url = `/user_uploads/1/ab/${'s'.repeat(24)}/none.png`;
    const page = await download(url);
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    const image = await download(url, { Accept: 'image/avif,image/webp,*/*' });
    expect([image.status, image.headers['content-type'], image.headers['vary']]).toEqual([
      404,
      'image/png',
      'Authorization, Accept',
    ]);
    const { getUpload } = gateway.messages.answers;
    gateway.messages.answers.getUpload = () =>
      Promise.reject(new BadRequestError('You are not authorized to view this file.', {}, 403));
    expect((await download(url)).status).toBe(403);
    gateway.messages.answers.getUpload = getUpload;
    expect((await download(url, { Authorization: '' })).status).toBe(401);
  });

  test.each([
    '/user_uploads/1/ab/short/a.png',
    `/user_uploads/1/ab/${'s'.repeat(24)}/..`,
    `/user_uploads/1/ab/${'s'.repeat(24)}/..%2f..%2fetc%2fpasswd`,
    `/user_uploads/1/..%2f..%2f/${'s'.repeat(24)}/a`,
    `/user_uploads/thumbnail/1/ab/${'s'.repeat(24)}/a.png/..%2f..%2fx`,
  ])('%s is not found', async (url) => {
    const [host, port] = gateway.address.split(':');
    const answer = await fetch(`http://${host}:${port}${url}`, { headers: { Authorization: basic(IAGO) } });
    expect([403, 404]).toContain(answer.status);
  });
});

describe('pictures', () => {
  const thumbnailOf = (url: string, format = '840x560.webp') =>
    url.replace('/user_uploads/', '/user_uploads/thumbnail/').concat(`/${format}`);

  test.each(['png', 'jpeg', 'webp', 'tiff', 'avif', 'gif'] as const)(
    'in %s are known by their bytes, and get a thumbnail',
    async (format) => {
      const { json } = await upload({ filename: 'a.bin', type: 'application/x-unknown', bytes: await picture(format) });
      const pathId = json.url.replace('/user_uploads/', '');
      expect(fileOf(pathId).image).toEqual({ contentType: `image/${format}`, width: 1200, height: 900, frames: 1 });
      const { bytes, headers } = await download(thumbnailOf(json.url));
      expect(headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, immutable' });
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 747, height: 560 });
    },
  );

  test('that move keep moving, and have a still besides', async () => {
    const { json } = await upload({ filename: 'a.gif', type: 'image/gif', bytes: await animation() });
    expect([...files.values()][0]?.image).toMatchObject({ contentType: 'image/gif', width: 40, height: 30, frames: 2 });
    const moving = await download(thumbnailOf(json.url, '840x560-anim.webp'));
    expect((await sharp(moving.bytes, { animated: true }).metadata()).pages).toBe(2);
    const still = await download(thumbnailOf(json.url, '100x75.webp'));
    expect((await sharp(still.bytes).metadata()).pages ?? 1).toBe(1);
  });

  test('have thumbnails made once, regardless of concurrent requests', async () => {
    const { json } = await upload({ filename: 'a.png', type: 'image/png', bytes: await picture('png') });
    const all = await Promise.all(Array.from({ length: 8 }, () => download(thumbnailOf(json.url))));
    expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(settled.map(({ isReady }) => isReady)).toEqual([true]);
  });

  test('that are too large to decode are served like other files', async () => {
    const bomb = hugePicture(20_000);
    const { json } = await upload({ filename: 'bomb.png', type: 'image/png', bytes: bomb });
    expect([...files.values()][0]?.image).toBeNull();
    expect((await download(thumbnailOf(json.url))).status).toBe(404);
  });

  test('that are broken have no thumbnail, which is remembered', async () => {
    const whole = await picture('png');
    const { json } = await upload({ filename: 'a.png', type: 'image/png', bytes: whole.subarray(0, whole.length / 2) });
    expect((await download(thumbnailOf(json.url))).status).toBe(404);
    expect(settled.at(-1)).toMatchObject({ isReady: false });
  });

  test('in HEIC, which cannot be decoded here, are served like other files, under any declared type', async () => {
    // The codec distinguishes HEIC and AVIF, which share a container.
    const heic = Buffer.from((await picture('avif')).toString('latin1').replaceAll('av01', 'hvc1'), 'latin1');
    heic.write('ftypheic', 4, 'latin1');
    const { json } = await upload({ filename: 'a.heic', type: 'image/heic', bytes: heic });
    expect([...files.values()][0]?.image).toBeNull();
    expect((await download(thumbnailOf(json.url))).status).toBe(404);
    const { headers, bytes } = await download(json.url);
    expect([headers['content-type'], headers['content-disposition']]).toEqual([
      'image/heic',
      "attachment; filename*=UTF-8''a.heic",
    ]);
    expect(bytes.equals(heic)).toBe(true);
  });

  test('have a status of their thumbnails', async () => {
    const { json } = await upload({ filename: 'a.png', type: 'image/png', bytes: await picture('png') });
    const [, realmId, ...rest] = json.url.slice(1).split('/');
    const status = async () =>
      (await gateway.call(getThumbnailStatus, { realm_id_str: Number(realmId), filename: rest.join('/') })).json;
    expect(await status()).toMatchObject({ result: 'success', has_thumbnail: false });
    const { getUpload } = gateway.messages.answers;
    gateway.messages.answers.getUpload = async () => ({
      ...fileOf([...files.keys()][0] as string),
      thumbnails: 'ready',
    });
    expect(await status()).toMatchObject({ has_thumbnail: true });
    gateway.messages.answers.getUpload = getUpload;
    const none = await gateway.request({ path: '/api/v1/thumbnail/status/2/x/../y' });
    expect([none.status, none.json.msg]).toEqual([404, 'File not found']);
  });

  test.each([
    ['page.png', '<html>'],
    ['vector.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a.png', '\x89PNG\r\n\x1a\nnonsense'],
  ])('%s is none', async (filename, bytes) => {
    const { json } = await upload({ filename, type: 'image/png', bytes: Buffer.from(bytes, 'latin1') });
    expect([...files.values()][0]?.image).toBeNull();
    expect((await download(thumbnailOf(json.url))).status).toBe(404);
    expect((await download(thumbnailOf(json.url, 'anything'))).status).toBe(404);
  });
});

describe('an address without credentials', () => {
  const temporary = (url: string) => gateway.request({ path: `/api/v1${encodeURI(url)}` });
  const stranger = { Authorization: '' };

  test('works for a minute, for that file only', async () => {
    const { json } = await upload({ filename: 'für.txt', bytes: 'hello' });
    const { url } = (await temporary(json.url)).json;
    expect(url).toMatch(/^\/user_uploads\/temporary\/[\w.-]+\/f%C3%BCr\.txt$/);
    const [host, port] = gateway.address.split(':');
    const get = (address: string) => fetch(`http://${host}:${port}${address}`, { headers: stranger });
    expect(await (await get(url)).text()).toBe('hello');
    expect(await (await get(url.replace('f%C3%BCr.txt', 'other.txt'))).json()).toMatchObject({
      msg: 'Invalid filename',
    });
    const forged = url.replace(/temporary\/./, 'temporary/f');
    expect(await (await get(forged)).json()).toMatchObject({ msg: 'Invalid token' });
    expect(await (await get('/user_uploads/temporary/x/a')).json()).toMatchObject({ msg: 'Invalid token' });
    clock.advance(60_001);
    expect(await (await get(url)).json()).toMatchObject({ msg: 'Invalid token' });
  });

  test('is given for files that the caller may read', async () => {
    expect(getTemporaryFileUrl.path).toBe('/user_uploads/{realm_id_str}/{filename}');
    for (const url of [`/user_uploads/1/ab/${'s'.repeat(24)}/a`, '/user_uploads/1/x', '/user_uploads/1/ab/../../x']) {
      expect((await temporary(url)).status).toBe(404);
    }
  });
});

describe('a visitor', () => {
  const get = (url: string) => fetch(`http://${gateway.address}${url}`);

  test('is refused where the organization admits none', async () => {
    const { json } = await upload({ filename: 'a.txt', bytes: 'hello' });
    expect((await get(json.url)).status).toBe(401);
  });

  test('reads public files without an account, and none with invalid credentials', async () => {
    const { json } = await upload({ filename: 'a.png', type: 'image/png', bytes: await picture('png') });
    const { admitVisitor } = gateway.realm.answers;
    gateway.realm.answers.admitVisitor = async () => ({ realmId: 2 });
    const pathId = json.url.replace('/user_uploads/', '');
    const addresses = [json.url, `/user_uploads/download/${pathId}`, `/user_uploads/thumbnail/${pathId}/840x560.webp`];
    gateway.messages.seen.length = 0;
    for (const url of [...addresses, `/api/v1/thumbnail/status/${pathId}`]) expect((await get(url)).status).toBe(200);
    const asked = gateway.messages.seen.filter(({ method }) => method === 'getUpload');
    expect(asked).toHaveLength(4);
    for (const { call } of asked) expect(call).toMatchObject({ realmId: 2, userId: VISITOR_ID });
    expect((await download(json.url, { Authorization: '' })).status).toBe(401);
    expect((await get(`/api/v1${json.url}`)).status).toBe(401);
    gateway.realm.answers.admitVisitor = admitVisitor as never;
  });
});

describe('the list of uploaded files', () => {
  const attachment = {
    id: 7,
    name: 'a.png',
    pathId: '1/ab/x/a.png',
    size: 3,
    createdAtMs: 5_999,
    messages: [{ id: 9, sentAtMs: 7_001 }],
  };

  test('names the messages that link to them, in seconds', async () => {
    gateway.messages.answers.listAttachments = async () => ({ attachments: [attachment], uploadSpaceUsed: 12 });
    const { json } = await gateway.call(getAttachments, {});
    expect(json).toMatchObject({
      upload_space_used: 12,
      attachments: [
        {
          id: 7,
          name: 'a.png',
          path_id: '1/ab/x/a.png',
          size: 3,
          create_time: 5,
          messages: [{ id: 9, date_sent: 7 }],
          message_ids: [9],
        },
      ],
    });
  });

  test('loses a deleted file together with its bytes', async () => {
    const { json } = await upload({ filename: 'a.png', type: 'image/png', bytes: await picture('png') });
    await download(json.url.replace('/user_uploads/', '/user_uploads/thumbnail/').concat('/840x560.webp'));
    const pathId = json.url.replace('/user_uploads/', '');
    const isThere = async () => (await stored()).some((key) => key.includes(pathId));
    expect(await isThere()).toBe(true);
    gateway.messages.answers.getAttachment = async () => ({ ...attachment, pathId });
    gateway.messages.answers.deleteAttachment = async () => ({});
    expect((await gateway.call(deleteAttachment, { attachment_id: 7 })).json).toMatchObject({ result: 'success' });
    expect(gateway.messages.last('deleteAttachment')).toEqual({ attachmentId: 7 });
    expect(await isThere()).toBe(false);
  });

  test('keeps a file whose bytes cannot be deleted, and files of others', async () => {
    gateway.messages.answers.deleteAttachment = () => Promise.reject(new Error('not to be called'));
    gateway.messages.answers.getAttachment = async () => ({ ...attachment, pathId: '../../out' });
    expect((await gateway.call(deleteAttachment, { attachment_id: 7 })).json.msg).toMatch(
      /^An error occurred while deleting/,
    );
    gateway.messages.answers.getAttachment = () => Promise.reject(new BadRequestError('Invalid attachment'));
    expect((await gateway.call(deleteAttachment, { attachment_id: 8 })).json.msg).toBe('Invalid attachment');
  });
});

describe('deferred work', () => {
  test('is done every few minutes: bytes are deleted, then rows; thumbnails are made', async () => {
    const [old, pictured] = [
      await upload({ filename: 'old', bytes: 'x' }),
      await upload({ filename: 'a.png', bytes: await picture('png') }),
    ];
    const place = (answer: { json: { url: string } }) => ({
      realmId: 2,
      pathId: answer.json.url.replace('/user_uploads/', ''),
    });
    let batches = [[place(old)], []];
    gateway.messages.answers.expireUploads = async () => ({ places: batches.shift() ?? [] });
    gateway.messages.answers.takePendingThumbnails = async () => ({ places: [place(pictured)] });
    settled.length = 0;
    const made = new Promise((resolve) => {
      gateway.messages.answers.settleThumbnails = async (_call, request) => {
        resolve(request);
        return {};
      };
    });
    clock.advance(5 * 60_000);
    expect(await made).toMatchObject({ ...place(pictured), isReady: true });
    expect(gateway.messages.last('forgetUploads')).toEqual({ places: [place(old)] });
    expect((await stored()).some((key) => key.includes(place(old).pathId))).toBe(false);
    batches = [];
  });
});

/** A black PNG of `side` times `side` pixels, one bit each: 400 million of them in some kilobytes. */
function hugePicture(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

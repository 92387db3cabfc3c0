import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { type S3Server, startS3 } from '../../test/uploads/s3-server';
import { diskStore } from './disk-store';
import { s3Store } from './s3-store';
import { deleteUpload, type UploadStore, uploadKeys } from './upload-store';

const PATH_ID = '1/ab/abcdefghijklmnopqrstuvwx/für me.txt';
let directory: string;
let s3: S3Server;
let bucket: ReturnType<typeof s3Store>;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'parley-store-'));
  s3 = await startS3();
  bucket = s3Store({ bucket: 'files', region: 'us-east-1', endpoint: s3.url, accessKeyId: 'a', secretAccessKey: 'b' });
});

afterAll(async () => {
  bucket.close();
  await s3.stop();
  await rm(directory, { recursive: true });
});

describe.each<[string, () => UploadStore, () => Promise<string[]>]>([
  [
    'a disk',
    () => diskStore(directory),
    async () => (await readdir(path.join(directory, 'incoming')).catch(() => [])) as string[],
  ],
  ['S3', () => bucket, async () => s3.unfinished()],
])('a store on %s', (_what, open, drafts) => {
  const key = uploadKeys.file(PATH_ID);
  const textOf = async (stream: Readable | null) => stream && text(stream);

  test('returns the stored bytes, as a whole and in parts', async () => {
    const store = open();
    expect(await store.put(key, Readable.from([Buffer.from('hello '), Buffer.from('world')]))).toBe(11);
    expect(await textOf(await store.get(key))).toBe('hello world');
    expect(await textOf(await store.get(key, { start: 6, end: 8 }))).toBe('wor');
    expect(await store.put(key, Readable.from([Buffer.from('new')]))).toBe(3);
    expect(await textOf(await store.get(key))).toBe('new');
  });

  test('has no file that was never stored', async () => {
    expect(await open().get(uploadKeys.file('1/ab/x/nothing'))).toBeNull();
    await open().delete(uploadKeys.file('1/ab/x/nothing'));
  });

  test('takes empty files, and files larger than memory should hold', async () => {
    const store = open();
    expect(await store.put(key, Readable.from([]))).toBe(0);
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    expect(await store.put(key, Readable.from(Array<Buffer>(12).fill(chunk)))).toBe(12 * chunk.length);
    expect((await buffer((await store.get(key)) as Readable)).length).toBe(12 * chunk.length);
  });

  test('keeps nothing of an aborted upload', async () => {
    const store = open();
    const broken = uploadKeys.file('1/ab/x/broken');
    async function* breaking() {
      yield Buffer.alloc(7 * 1024 * 1024);
      throw new Error('broke off');
    }
    await expect(store.put(broken, Readable.from(breaking()))).rejects.toThrow('broke off');
    expect(await store.get(broken)).toBeNull();
    expect(await drafts()).toEqual([]);
  });

  test('deletes a file with its thumbnails and parts, and no other', async () => {
    const store = open();
    const neighbour = uploadKeys.thumbnail(`${PATH_ID}.png`, 'a.webp');
    const keys = [
      key,
      uploadKeys.thumbnail(PATH_ID, 'a.webp'),
      uploadKeys.part(PATH_ID, 0, ''),
      uploadKeys.part(PATH_ID, 5, 'a'),
      neighbour,
    ];
    for (const each of keys) await store.put(each, Readable.from([Buffer.from('x')]));
    await deleteUpload(store, PATH_ID);
    await deleteUpload(store, PATH_ID);
    expect(await Promise.all(keys.map(async (each) => (await textOf(await store.get(each))) !== null))).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
  });
});

test('a bucket that cannot be reached does not leave the bytes waiting', async () => {
  const gone = await startS3();
  await gone.stop();
  const store = s3Store({
    bucket: 'files',
    region: 'us-east-1',
    endpoint: gone.url,
    accessKeyId: 'a',
    secretAccessKey: 'b',
  });
  function* endless() {
    for (;;) yield Buffer.alloc(1024 * 1024);
  }
  const bytes = Readable.from(endless());
  await expect(store.put(uploadKeys.file(PATH_ID), bytes)).rejects.toThrow();
  expect(bytes.destroyed).toBe(true);
  store.close();
});

test.each(['../x', 'files/../../x', 'files/\0', ''])('a store on disk refuses the path %j', async (key) => {
  const store = diskStore(directory);
  await expect(store.put(key, Readable.from([]))).rejects.toThrow('leads out of the store');
  await expect(store.get(key)).rejects.toThrow('leads out of the store');
  await expect((async () => store.delete(key))()).rejects.toThrow('leads out of the store');
});

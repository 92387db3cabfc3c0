import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readPositions } from '../audit-stream/positions';
import { writeNewFile } from './files';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'new-file-'));
  file = path.join(folder, 'acme.tar.gz');
});
afterEach(() => rmSync(folder, { recursive: true }));

const text = (content: string) => (destination: Writable) => pipeline(Readable.from([content]), destination);

test('a file has its name once it is whole, and only its owner reads it', async () => {
  await writeNewFile(file, async (destination) => {
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^acme\.tar\.gz\..*\.partial$/)]);
    await text('all of it')(destination);
  });
  expect(readdirSync(folder)).toEqual(['acme.tar.gz']);
  expect(readFileSync(file, 'utf8')).toBe('all of it');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a folder that is none is named', async () => {
  for (const none of [path.join(folder, 'none'), __filename])
    await expect(writeNewFile(path.join(none, 'acme.tar.gz'), text('x'))).rejects.toThrow(`there is no folder ${none}`);
});

test('a file that cannot be written, or read, is named with the reason', async () => {
  const long = path.join(folder, 'x'.repeat(300));
  await expect(writeNewFile(long, text('x'))).rejects.toThrow(`${long} cannot be written (ENAMETOOLONG)`);
  await expect(readPositions(folder)).rejects.toThrow(`${folder} cannot be read (EISDIR)`);
});

test('a failed write leaves no file', async () => {
  const failing = writeNewFile(file, async (destination) => {
    destination.write('half of it');
    throw new Error('no more');
  });
  await expect(failing).rejects.toThrow('no more');
  expect(readdirSync(folder)).toEqual([]);
});

test('only files left by a killed writer are deleted', async () => {
  const others = [
    'acme.tar.gz.sha256',
    'acme.tar.gz.mine.partial',
    'b.tar.gz.00000000-0000-0000-0000-000000000000.partial',
  ];
  for (const each of [...others, 'acme.tar.gz.00000000-0000-0000-0000-000000000000.partial'])
    writeFileSync(path.join(folder, each), 'x');
  await writeNewFile(file, text('all of it'));
  expect(readdirSync(folder).sort()).toEqual(['acme.tar.gz', ...others].sort());
});

test('a file that is there stays as it is, also one that was made meanwhile', async () => {
  writeFileSync(file, 'mine');
  await expect(writeNewFile(file, text('other'))).rejects.toThrow(`there is a file ${file} already`);
  rmSync(file);
  const late = writeNewFile(file, async (destination) => {
    await text('other')(destination);
    writeFileSync(file, 'mine');
  });
  await expect(late).rejects.toThrow(`there is a file ${file} already`);
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

test('of two writers at a time the later one wins, and the other says so', async () => {
  const first = writeNewFile(file, async (destination) => {
    await writeNewFile(file, text('second'));
    rmSync(file);
    await text('first')(destination);
  });
  await expect(first).rejects.toThrow(`another command has begun to write ${file}`);
});

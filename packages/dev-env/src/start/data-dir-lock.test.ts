import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lockDataDir } from './data-dir-lock';

const directory = mkdtempSync(path.join(tmpdir(), 'parley-lock-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('a data directory', () => {
  test('is made, and is one process’s at a time', async () => {
    const dataDir = path.join(directory, 'one', 'var');
    const unlock = await lockDataDir(dataDir);
    await expect(lockDataDir(dataDir)).rejects.toThrow(`another npm start is running with the data in ${dataDir}`);
    await unlock();
    await (await lockDataDir(dataDir))();
  });

  test('that cannot be made is refused in one line', async () => {
    const file = path.join(directory, 'file');
    writeFileSync(file, '');
    await expect(lockDataDir(path.join(file, 'var'))).rejects.toThrow(/^ENOTDIR.*$/);
  });
});

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { botKeySecret } from './bot-key-secret';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'parley-secret-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('is made once for a data directory, for nobody else to read', () => {
  const DATA_DIR = path.join(directory, 'var');
  const secret = botKeySecret({ DATA_DIR, environment: {} });
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(botKeySecret({ DATA_DIR, environment: {} })).toBe(secret);
  expect(statSync(path.join(DATA_DIR, 'bot-key-secret')).mode & 0o777).toBe(0o600);
});

test('is the operator’s where there is one', () => {
  expect(botKeySecret({ DATA_DIR: directory, environment: { BOT_KEY_SECRET: 'given' } })).toBe('given');
});

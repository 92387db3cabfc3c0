import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keptSecret } from './kept-secret';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'parley-secret-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('is made once for a data directory, readable by its owner only', () => {
  const DATA_DIR = path.join(directory, 'var');
  const secret = keptSecret('BOT_KEY_SECRET', { DATA_DIR, environment: {} });
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(keptSecret('BOT_KEY_SECRET', { DATA_DIR, environment: {} })).toBe(secret);
  expect(statSync(path.join(DATA_DIR, 'bot-key-secret')).mode & 0o777).toBe(0o600);
});

test('secrets have nothing in common', () => {
  const config = { DATA_DIR: directory, environment: {} };
  expect(keptSecret('INVITATION_KEY_SECRET', config)).not.toBe(keptSecret('BOT_KEY_SECRET', config));
});

test('is the operator’s where there is one', () => {
  expect(keptSecret('BOT_KEY_SECRET', { DATA_DIR: directory, environment: { BOT_KEY_SECRET: 'given' } })).toBe('given');
});

describe('a lost secret is not generated again', () => {
  const ask = () => keptSecret('BOT_KEY_SECRET', { DATA_DIR: directory, environment: {} });
  const complaint =
    /bot-key-secret is missing or empty, though .*: bring it back from a backup or, if it is lost, make/;

  test('beside a database', () => {
    mkdirSync(path.join(directory, 'postgres', 'data'), { recursive: true });
    expect(ask).toThrow(complaint);
    expect(readdirSync(directory)).toEqual(['postgres']);
  });

  test('beside an organization in a database elsewhere; the file being empty', () => {
    writeFileSync(path.join(directory, 'demo.json'), '{}');
    writeFileSync(path.join(directory, 'bot-key-secret'), '\n');
    expect(ask).toThrow(complaint);
  });

  test('unless the first start ended before there were data', () => {
    writeFileSync(path.join(directory, 'bot-key-secret'), '');
    expect(ask()).toMatch(/^[0-9a-f]{64}$/);
  });
});

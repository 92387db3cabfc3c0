import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig } from './config';

test('a setting in a file is read once and given to services as a value', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'config-'));
  const file = path.join(folder, 'nats-url');
  writeFileSync(file, 'nats://user:hush@nats\n');
  const { NATS_URL, environment } = loadConfig({ NATS_URL_FILE: file, SMTP_URL_FILE: '/left/to/services' });
  rmSync(folder, { recursive: true });
  expect(NATS_URL).toBe('nats://user:hush@nats');
  expect(environment).toEqual({ NATS_URL, SMTP_URL_FILE: '/left/to/services' });
});

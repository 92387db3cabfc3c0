import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config';

/**
 * What the realm service makes the API keys of bots of (BOT_KEY_SECRET): the operator's, or else the data directory's own, made at
 * its first start. It stays what it is, so that keys can be shown again after a restart.
 */
export function botKeySecret({ DATA_DIR, environment }: Pick<Config, 'DATA_DIR' | 'environment'>): string {
  const file = path.join(DATA_DIR, 'bot-key-secret');
  return environment['BOT_KEY_SECRET'] || readSecret(file) || makeSecret(file);
}

function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function makeSecret(file: string): string {
  const secret = randomBytes(32).toString('hex');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}

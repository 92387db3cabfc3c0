import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config';

/** What keys are made of: of bots by realm, of invitations by invites. */
export type SecretName = 'BOT_KEY_SECRET' | 'INVITATION_KEY_SECRET';

/**
 * A secret of the services: the operator's, or else the data directory's own (`bot-key-secret`), made at its first start. It stays
 * what it is, so that keys can be shown again after a restart.
 */
export function keptSecret(
  name: SecretName,
  { DATA_DIR, environment }: Pick<Config, 'DATA_DIR' | 'environment'>,
): string {
  const file = path.join(DATA_DIR, name.toLowerCase().replaceAll('_', '-'));
  return environment[name] || readSecret(file) || makeSecret(file);
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

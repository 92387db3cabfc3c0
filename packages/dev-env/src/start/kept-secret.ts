import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config';

/** The secrets for keys: of bots for realm, of invitations for invites. */
export type SecretName = 'BOT_KEY_SECRET' | 'INVITATION_KEY_SECRET';

const SIGNS_OF_DATA = ['postgres/data', 'demo.json'];

export type KeptSecrets = Record<SecretName, string>;

/** Must be called before anything else is created in the data directory: existing data proves that secrets existed. */
export function keptSecrets(config: Pick<Config, 'DATA_DIR' | 'environment'>): KeptSecrets {
  return {
    BOT_KEY_SECRET: keptSecret('BOT_KEY_SECRET', config),
    INVITATION_KEY_SECRET: keptSecret('INVITATION_KEY_SECRET', config),
  };
}

/**
 * A secret of the services: the operator's, or else the data directory's (`bot-key-secret`), generated at the first start. It
 * never changes, so that keys can be shown again after a restart; a lost one is not replaced. Throws instructions then.
 */
export function keptSecret(
  name: SecretName,
  { DATA_DIR, environment }: Pick<Config, 'DATA_DIR' | 'environment'>,
): string {
  const file = path.join(DATA_DIR, name.toLowerCase().replaceAll('_', '-'));
  const secret = environment[name] || readSecret(file);
  if (secret) return secret;
  if (SIGNS_OF_DATA.some((sign) => existsSync(path.join(DATA_DIR, sign))))
    throw new Error(
      `${file} is missing or empty, though there are data made with it: bring it back from a backup or, if it is lost, ` +
        `make another one: (umask 077; openssl rand -hex 32 > '${file}')`,
    );
  return makeSecret(file);
}

function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function makeSecret(file: string): string {
  const secret = randomBytes(32).toString('hex');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}

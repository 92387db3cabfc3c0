import { createHmac, randomBytes } from 'node:crypto';
import type { Database } from '../db';
import { ConfigError } from '../errors';
import type { Logger } from '../observability';
import { hasFingerprint, storeFingerprint } from './secret-fingerprint.sql';

/** Prefix of generated secrets, which no operator's secret has. */
const MADE_UP = 'made up at this start: ';

/** A generated secret, if the setting is missing: valid for the life of this process. */
export function madeUpSecret(): string {
  return MADE_UP + randomBytes(32).toString('hex');
}

/**
 * Detects a lost or changed secret: the database has a fingerprint of the secret of the last start. A
 * later start without a secret is refused; a start with another one is logged. Throws ConfigError.
 */
export async function checkSecret(
  { db, log }: { db: Database; log: Logger },
  name: string,
  secret: string,
): Promise<void> {
  if (secret.startsWith(MADE_UP)) return refuseIfOneWasThere(db, name);
  const former = await storeFingerprint(db, name, fingerprintOf(name, secret));
  if (former && !former.equals(fingerprintOf(name, secret)))
    log.warn(`${name} is another one than at the last start: if nobody meant to change it, set it to what it was`);
}

function fingerprintOf(name: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`fingerprint of ${name}`).digest();
}

async function refuseIfOneWasThere(db: Database, name: string): Promise<void> {
  if (await hasFingerprint(db, name))
    throw new ConfigError(
      `${name} must be set, since keys in the database were made with it: set it to what it was or, if that is lost, to a new one (docs/configure.md, Secrets)`,
    );
}

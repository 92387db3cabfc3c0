import { createHmac, randomBytes } from 'node:crypto';
import type { Database } from '../db';
import { ConfigError } from '../errors';
import type { Logger } from '../observability';
import { hasFingerprint, storeFingerprint } from './secret-fingerprint.sql';

/** No secret that an operator sets begins like this. */
const MADE_UP = 'made up at this start: ';

/** For want of a setting: good for as long as this process lives. */
export function madeUpSecret(): string {
  return MADE_UP + randomBytes(32).toString('hex');
}

/**
 * Keeps a secret from being lost unnoticed: the database has a fingerprint of the one with which the service started last. A
 * start without any is refused then; another secret is taken, and the log says so. Throws ConfigError.
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

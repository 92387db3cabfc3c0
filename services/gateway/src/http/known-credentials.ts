import type { Authentication, Credential } from '@parley/shared/proto';
import { LRUCache } from 'lru-cache';

/** A few megabytes. */
const MAX_KNOWN = 20_000;

/**
 * Credentials that realm has recently accepted, with their accounts. They may have become invalid: users of this cache have them
 * confirmed, see recallCaller().
 */
export class KnownCredentials {
  readonly #known = new LRUCache<string, Authentication>({ max: MAX_KNOWN });

  recall(credential: Credential): Authentication | undefined {
    return this.#known.get(keyOf(credential));
  }

  /** Stores realm's answer. */
  note(credential: Credential, answer: Authentication): void {
    const key = keyOf(credential);
    if (answer.outcome !== 'ok') this.#known.delete(key);
    else this.#known.set(key, answer);
  }
}

/** The same key for the same credential. */
export function keyOf({ subdomain, email, apiKeyHash, isSession }: Credential): string {
  return `${subdomain}\n${isSession ? '\n' : email}\n${(apiKeyHash as Buffer).toString('latin1')}`;
}

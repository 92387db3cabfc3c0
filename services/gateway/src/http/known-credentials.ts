import type { Authentication, Credential } from '@parley/shared/proto';

/** A few megabytes. */
const MAX_KNOWN = 20_000;

/**
 * Credentials that realm has found good of late, and whose they are. What is recalled may be good no more: it serves requests only
 * that have it confirmed on their way, see `confirmsCredential` of an endpoint.
 */
export class KnownCredentials {
  /** The most recently used last. */
  readonly #known = new Map<string, Authentication>();

  recall(credential: Credential): Authentication | undefined {
    const key = keyOf(credential);
    const known = this.#known.get(key);
    if (known) this.#put(key, known);
    return known;
  }

  /** Takes note of what realm has answered. */
  note(credential: Credential, answer: Authentication): void {
    const key = keyOf(credential);
    if (answer.outcome !== 'ok') this.#known.delete(key);
    else this.#put(key, answer);
  }

  #put(key: string, answer: Authentication): void {
    this.#known.delete(key);
    this.#known.set(key, answer);
    if (this.#known.size <= MAX_KNOWN) return;
    const [oldest] = this.#known.keys();
    this.#known.delete(oldest as string);
  }
}

/** The same for the same credential. */
export function keyOf({ subdomain, email, apiKeyHash }: Credential): string {
  return `${subdomain}\n${email}\n${(apiKeyHash as Buffer).toString('latin1')}`;
}

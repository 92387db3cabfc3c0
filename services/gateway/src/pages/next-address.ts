import type { SentParameters } from '../http/decode-parameters';

const HOME = '/';

/** The address to go to after signing in: one of this host, whatever was sent. */
export function nextOf(sent: SentParameters): string {
  const next = sent.get('next') ?? HOME;
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(next) && !next.includes('\\') ? next : HOME;
}

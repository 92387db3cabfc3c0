import { BadRequestError } from '@parley/shared/errors';

const MAX_LENGTH = 50;
/** Names of the time zone database; offsets, which Intl would take too, are none. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** The time zone that a sent name means, in the database's spelling where Intl tells it. */
export function timezoneFromInput(name: string): string {
  const canonical = name.length <= MAX_LENGTH && NAME.test(name) ? findTimezone(name) : null;
  if (canonical === null) throw new BadRequestError('Invalid timezone: Value error, Not a recognized time zone');
  // An older name of a zone is kept: its new name may be unknown to the clients that sent it.
  return canonical.toLowerCase() === name.toLowerCase() ? canonical : name;
}

function findTimezone(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

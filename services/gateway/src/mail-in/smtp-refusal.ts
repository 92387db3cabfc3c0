import { PublicError } from '@parley/shared/errors';

/** An answer other than success: from 400 on the mail server tries again, from 500 on it returns the mail to its sender. */
export class SmtpRefusal extends Error {
  constructor(
    readonly responseCode: number,
    text: string,
  ) {
    super(text);
  }
}

/** The same for addresses that never existed, that have ended, and whose owner has lost the right to post. */
export function noSuchAddress(): SmtpRefusal {
  return new SmtpRefusal(550, '5.1.1 There is no such address');
}

const MAX_LENGTH = 300;

/** What the mail server is told about an error; null: it is a bug, or an outage that nobody has foreseen. */
export function refusalOf(error: unknown): SmtpRefusal | null {
  if (error instanceof SmtpRefusal) return error;
  if (!(error instanceof PublicError)) return null;
  if (error.httpStatus === 429) return new SmtpRefusal(451, '4.7.1 Too many mails to this address; try again later');
  if (error.httpStatus >= 500) return tryLater();
  return new SmtpRefusal(550, `5.7.1 ${inAscii(error.message)}`);
}

export function tryLater(): SmtpRefusal {
  return new SmtpRefusal(451, '4.3.0 Try again later');
}

/** An answer is one line of ASCII. */
function inAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, '?').slice(0, MAX_LENGTH);
}

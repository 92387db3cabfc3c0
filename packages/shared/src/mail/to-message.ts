import type { SendMailOptions } from 'nodemailer';
import { isEmailAddress, truncate } from '../values';
import { inOneLine } from './in-one-line';
import { type Mail, MailRefusedError } from './mail';

/** A line of a message must not have more than 998 bytes. */
const MAX_NAME_LENGTH = 100;

/** A mail as nodemailer takes it: nothing that somebody has named themselves can begin a header or add an address. */
export function toMessage({ to, from, subject, text, html, messageId, sentAtMs }: Mail): SendMailOptions {
  if (!isEmailAddress(to.address)) throw new MailRefusedError('that is no address');
  return {
    from: { name: inOneLine(from.name), address: from.address },
    to: { name: truncate(inOneLine(to.name), MAX_NAME_LENGTH, '…'), address: to.address },
    subject: inOneLine(subject),
    text,
    html,
    messageId: `<${messageId}>`,
    date: new Date(sentAtMs),
    // Nobody's absence note answers it.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

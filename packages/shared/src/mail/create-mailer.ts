import type { Logger } from '../service';
import { diskMailer } from './disk-mailer';
import type { Mailer } from './mail';
import { smtpMailer } from './smtp-mailer';

export interface MailerOptions {
  SMTP_URL?: string | undefined;
  DATA_DIR: string;
}

/** Sends mails to the server that SMTP_URL names; without one they are written to files, and the log says so. */
export function createMailer({ SMTP_URL, DATA_DIR }: MailerOptions, log: Logger): Mailer {
  return SMTP_URL === undefined ? diskMailer(DATA_DIR, log) : smtpMailer(SMTP_URL);
}

import { z } from 'zod';
import { isEmailAddress } from '../values';
import type { ComposedMail } from './compose-mail';

/** A mail as sent. */
export interface Mail extends ComposedMail {
  to: MailSender;
  from: MailSender;
  /** Equal in all attempts, so that mail servers can detect duplicates: `id@host` without brackets. */
  messageId: string;
  sentAtMs: number;
}

/** Sends mails. */
export interface Mailer {
  /** Resolves when the server has accepted the mail. Throws MailRefusedError if it never will, other errors if it may later. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** A mail that is refused permanently. */
export class MailRefusedError extends Error {}

/** The sender: an address, optionally with a name in front. */
export interface MailSender {
  name: string;
  address: string;
}

/** Settings of services that send mail; EXTERNAL_HOST (hostSettings) is needed too. */
export const mailSettings = {
  /** The mail server, `smtps://user:password@host` or `smtp://…`; absent: mails are written to files below DATA_DIR. */
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/]/, 'must be an smtp:// or smtps:// address')
    .optional(),
  /** `address` or `Name <address>`; absent: noreply@ the host's name. */
  MAIL_FROM: z.string().transform(toSender).optional(),
  DATA_DIR: z.string().default('./var'),
};

/** The sender of this server's mails. */
export function senderOf({
  MAIL_FROM,
  EXTERNAL_HOST,
}: {
  MAIL_FROM?: MailSender | undefined;
  EXTERNAL_HOST: string;
}): MailSender {
  return MAIL_FROM ?? { name: '', address: `noreply@${EXTERNAL_HOST.replace(/:\d+$/, '')}` };
}

function toSender(text: string, context: z.RefinementCtx): MailSender {
  const [, name, address] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [text, '', text.trim()];
  if (!isEmailAddress(address as string)) context.addIssue('must be an address, or a name and an <address>');
  return { name: (name as string).trim(), address: address as string };
}

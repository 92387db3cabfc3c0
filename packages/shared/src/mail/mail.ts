import { z } from 'zod';
import { isEmailAddress } from '../values';
import type { ComposedMail } from './compose-mail';

/** How a mail fits into a conversation, and how its recipient answers or ends such mails. */
export interface MailHeaders {
  /** `id@host` without brackets, the same whenever the mail is composed; absent: made of the mail's row. */
  messageId?: string;
  /** The mail that this one continues; `id@host`. */
  inReplyTo?: string;
  /** The mails of the conversation, oldest first; `id@host`. */
  references?: readonly string[];
  /** Who gets answers; absent: the sender. */
  replyTo?: MailSender;
  /** The envelope's sender, to whom servers report that the mail was not delivered; absent: the sender's address. */
  bounceTo?: string;
  /** The sender's name in place of the server's. */
  fromName?: string;
  /** A page that ends mails of this kind: with a POST at once (RFC 8058). */
  unsubscribeUrl?: string;
}

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
export class MailRefusedError extends Error {
  /** Whether the server refuses the recipient, and not this mail only. */
  readonly isAboutRecipient: boolean;

  constructor(
    message: string,
    { isAboutRecipient = false, cause }: { isAboutRecipient?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.isAboutRecipient = isAboutRecipient;
  }
}

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
  /** Mails that a process sends in a second, at most; more wait. */
  MAILS_PER_SECOND: z.coerce.number().int().min(1).max(1_000).default(20),
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

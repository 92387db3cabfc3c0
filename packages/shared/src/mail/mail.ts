import type { ComposedMail } from './compose-mail';
import type { MailSender } from './mail-settings';

/** A mail as it leaves. */
export interface Mail extends ComposedMail {
  to: MailSender;
  from: MailSender;
  /** The same whenever the same mail is sent again, so that mailboxes can know it: `id@host` without brackets. */
  messageId: string;
  sentAtMs: number;
}

/** Where mails go. */
export interface Mailer {
  /** Resolves once the mail is out of our hands. Throws MailRefusedError when it can never be, anything else when it may be later. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** A mail that nobody will take, however often it is offered. */
export class MailRefusedError extends Error {}

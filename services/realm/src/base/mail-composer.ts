import type { AddressedMail, MailJob } from '@parley/shared/mail';
import type { Context } from '../context';

/** The organization in whose name a mail is sent. */
export interface MailingOrganization {
  name: string;
  /** Without a slash at its end. */
  url: string;
  /** Of people who have not chosen another one. */
  language: string;
}

/** Makes one kind of mail when it is about to be sent; null: it is no longer needed. */
export type MailComposer = (
  ctx: Context,
  job: MailJob,
  organization: MailingOrganization,
) => Promise<AddressedMail | null>;

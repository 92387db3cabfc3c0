import type { TextsByLanguage } from '..';
import { accountMails as germanAccounts } from '../de/account-mails';
import { bounce as germanBounce } from '../de/bounce';
import { digestMails as germanDigests } from '../de/digest-mails';
import { invitationMails as germanInvitations } from '../de/invitation-mails';
import { mailLayout as germanLayout } from '../de/mail-layout';
import { mailPages as germanPages } from '../de/mail-pages';
import { missedMails as germanMissed } from '../de/missed-mails';
import { accountMails } from '../en/account-mails';
import { bounce } from '../en/bounce';
import { digestMails } from '../en/digest-mails';
import { invitationMails } from '../en/invitation-mails';
import { mailLayout } from '../en/mail-layout';
import { mailPages } from '../en/mail-pages';
import { missedMails } from '../en/missed-mails';

const en = {
  layout: mailLayout,
  accounts: accountMails,
  invitations: invitationMails,
  missed: missedMails,
  digest: digestMails,
  pages: mailPages,
  bounce,
};

export type MailTexts = typeof en;

const de: MailTexts = {
  layout: germanLayout,
  accounts: germanAccounts,
  invitations: germanInvitations,
  missed: germanMissed,
  digest: germanDigests,
  pages: germanPages,
  bounce: germanBounce,
};

/** Mails, and what is said about them, by language. */
export const MAIL_TEXTS: TextsByLanguage<MailTexts> = { en, de };

import type { TextsByLanguage } from '..';
import { mails as de } from '../de/mails';
import { mails as en, type MailTexts } from '../en/mails';

export type { MailTexts };

/** Mails, and what is said about them, by language. */
export const MAIL_TEXTS: TextsByLanguage<MailTexts> = { en, de };

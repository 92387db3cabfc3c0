import type { Transaction } from '@parley/shared/db';
import type { InviteFacts, User } from '@parley/shared/proto';
import { type InvitationMail, insertMailJobs } from './mail-jobs.sql';

const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * 60_000;
/** Invitations with a shorter validity get no reminder. */
const REMINDED_FROM_MINUTES = 4 * DAY_MINUTES;
const REMINDER_BEFORE_END_MS = 2 * DAY_MS;

interface MailOrder {
  realmId: number;
  content: InvitationMail;
  nowMs: number;
  /** Null: unlimited. */
  validMinutes: number | null;
  invitations: readonly { id: number; email: string }[];
}

/** Queues the mails of invitations, and reminders two days before their end. */
export async function orderMails(tx: Transaction, order: MailOrder): Promise<void> {
  const { realmId, content, nowMs, validMinutes, invitations } = order;
  const common = { realmId, content, createdAtMs: nowMs };
  await insertMailJobs(tx, { ...common, template: 'invitation', dueAtMs: nowMs }, invitations);
  if (validMinutes === null || validMinutes < REMINDED_FROM_MINUTES) return;
  const dueAtMs = nowMs + validMinutes * 60_000 - REMINDER_BEFORE_END_MS;
  await insertMailJobs(tx, { ...common, template: 'invitation-reminder', dueAtMs }, invitations);
}

/** The organization's and inviter's part of a mail's content. */
export function mailContent({ actor, organizationName, subdomain, language }: InviteFacts): InvitationMail {
  const { fullName, email } = actor as User;
  return { referrerName: fullName, referrerEmail: email, organizationName, subdomain, language };
}

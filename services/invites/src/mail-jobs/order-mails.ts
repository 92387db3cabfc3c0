import type { Transaction } from '@parley/shared/db';
import { type InvitationMail, insertMailJobs } from './mail-jobs.sql';

const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * 60_000;
/** Who has less time is not reminded. */
const REMINDED_FROM_MINUTES = 4 * DAY_MINUTES;
const REMINDER_BEFORE_END_MS = 2 * DAY_MS;

export interface MailOrder {
  realmId: number;
  content: InvitationMail;
  nowMs: number;
  /** Null: for ever. */
  validMinutes: number | null;
  invitations: readonly { id: number; email: string }[];
}

/** Has the invitations sent, and a reminder two days before they end. */
export async function orderMails(tx: Transaction, order: MailOrder): Promise<void> {
  const { realmId, content, nowMs, validMinutes, invitations } = order;
  const common = { realmId, content, createdAtMs: nowMs };
  await insertMailJobs(tx, { ...common, template: 'invitation', dueAtMs: nowMs }, invitations);
  if (validMinutes === null || validMinutes < REMINDED_FROM_MINUTES) return;
  const dueAtMs = nowMs + validMinutes * 60_000 - REMINDER_BEFORE_END_MS;
  await insertMailJobs(tx, { ...common, template: 'invitation-reminder', dueAtMs }, invitations);
}

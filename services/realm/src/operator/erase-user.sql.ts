import type { Transaction } from '@parley/shared/db';

/** What is somebody's own. Subscriptions and memberships stay, as those of an account without a name: what may be read follows from them. */
const PERSONAL_TABLES = [
  ...['api_key', 'push_token', 'client_device', 'user_settings', 'user_status', 'user_presence', 'alert_word'],
  ...['muted_user', 'navigation_view', 'onboarding_step', 'email_change', 'sign_in_address', 'sign_in_failure'],
];

export async function deletePersonalRows(
  tx: Transaction,
  realmId: number,
  userId: number,
  email: string,
): Promise<void> {
  for (const table of PERSONAL_TABLES) {
    await tx.query(`delete from ${table} where realm_id = $1 and user_id = $2`, [realmId, userId]);
  }
  await tx.query('delete from mail_job where realm_id = $1 and lower(recipient) = lower($2)', [realmId, email]);
}

/** Answers the ids of the fields in which the profile said something. */
export async function deleteProfile(tx: Transaction, realmId: number, userId: number): Promise<number[]> {
  const rows = await tx.query<{ fieldId: number }>(
    'delete from profile_value where realm_id = $1 and user_id = $2 returning field_id as "fieldId"',
    [realmId, userId],
  );
  return rows.map(({ fieldId }) => fieldId);
}

export async function blankAccount(tx: Transaction, realmId: number, userId: number): Promise<void> {
  await tx.query(
    `update user_account set password_hash = null, timezone = '', may_create_users = false, may_change_emails = false
     where realm_id = $1 and id = $2`,
    [realmId, userId],
  );
}

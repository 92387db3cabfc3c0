import { type Sql, statement, type Transaction } from '@parley/shared/db';
import { MAILS } from '@parley/shared/mail';

/** Invitation, reminder before its end, or the proof of an address that came by a link. */
export type InvitationTemplate = 'invitation' | 'invitation-reminder' | 'address-confirmation';

/** Content of a mail about an invitation. The key is left out: it is derived when the mail is sent. */
export interface InvitationMail {
  referrerName: string;
  /** The address that the API shows to everybody in the organization. */
  referrerEmail: string;
  // COMPAT: read by pods of the former version only; mails are composed with the organization as it is by then.
  organizationName: string;
  subdomain: string;
  language?: string;
}

/** Content of the mail that proves an address. */
export type ConfirmationMail = Pick<InvitationMail, 'organizationName' | 'subdomain' | 'language'>;

interface NewMailJobs {
  realmId: number;
  template: InvitationTemplate;
  content: InvitationMail | ConfirmationMail;
  createdAtMs: number;
  dueAtMs: number;
}

const INSERT = statement(
  `insert into mail_job (realm_id, template, recipient, content, invitation_id, created_at, due_at)
   select $1, $2, email, $3, id, to_timestamp($4 / 1000.0), to_timestamp($5 / 1000.0)
   from unnest($6::bigint[], $7::text[]) as invited (id, email) order by id`,
);

/** Queues a mail for each invitation. */
export async function insertMailJobs(
  tx: Transaction,
  { realmId, template, content, createdAtMs, dueAtMs }: NewMailJobs,
  invitations: readonly { id: number; email: string }[],
): Promise<void> {
  tx.orders.add(MAILS);
  const addressed = [invitations.map(({ id }) => id), invitations.map(({ email }) => email)];
  await tx.query(INSERT, [realmId, template, JSON.stringify(content), createdAtMs, dueAtMs, ...addressed]);
}

const DELETE = statement(
  'delete from mail_job where realm_id = $1 and invitation_id = any($2) and ($3::text is null or template = $3)',
);

/** Cancels unsent mails of these invitations; with a template, only mails of that template. */
export async function deleteMailJobs(
  sql: Sql,
  realmId: number,
  invitationIds: readonly number[],
  template: InvitationTemplate | null = null,
): Promise<void> {
  await sql.query(DELETE, [realmId, invitationIds, template]);
}

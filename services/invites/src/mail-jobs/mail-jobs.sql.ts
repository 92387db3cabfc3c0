import { type Sql, statement, type Transaction } from '@parley/shared/db';
import { MAILS } from '@parley/shared/mail';

/** Which mail it is: the invitation, word that it ends soon, or the proof of an address that came by a link. */
export type InvitationTemplate = 'invitation' | 'invitation-reminder' | 'address-confirmation';

/** What the mails about an invitation tell. The key is not among it: it is made when a mail is sent. */
export interface InvitationMail {
  referrerName: string;
  /** The address in the API, which everybody in the organization may see. */
  referrerEmail: string;
  organizationName: string;
  subdomain: string;
}

/** What the mail tells that proves an address. */
export type ConfirmationMail = Pick<InvitationMail, 'organizationName' | 'subdomain'>;

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

/** Has a mail sent for each of the invitations. */
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

/** What was not sent about these invitations by now is not sent any more; of one template only where it is given. */
export async function deleteMailJobs(
  sql: Sql,
  realmId: number,
  invitationIds: readonly number[],
  template: InvitationTemplate | null = null,
): Promise<void> {
  await sql.query(DELETE, [realmId, invitationIds, template]);
}

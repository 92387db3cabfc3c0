import type { InviteFacts, User } from '@parley/shared/proto';
import type { InvitationMail } from './mail-jobs.sql';

/** What a mail tells of the organization and of whoever has it sent. */
export function mailContent({ actor, organizationName, subdomain }: InviteFacts): InvitationMail {
  const { fullName, email } = actor as User;
  return { referrerName: fullName, referrerEmail: email, organizationName, subdomain };
}

import { type AddressedMail, createMailDelivery, createMailer, type MailJob } from '@parley/shared/mail';
import type { Organization } from '@parley/shared/proto';
import { realmUrl } from '@parley/shared/values';
import type { MailComposer } from '../base/mail-composer';
import type { Context } from '../context';
import { composeEmailChangedMail, composeEmailConfirmationMail } from '../email-changes/email-changes';
import { composeLdapLinkedMail } from '../ldap/linked-mail';
import { composeIdentityLinkedMail } from '../oidc/identity-linked-mail';
import { findRealm } from '../organization/realms.sql';
import { composePasswordResetMail } from '../sign-in/forgotten-password';
import { composeNewAccountMail } from '../sign-in/new-account-mail';
import { composeDeactivationMail } from '../users/deactivation-mail';

const COMPOSERS: Readonly<Record<string, MailComposer>> = {
  'account-deactivated': composeDeactivationMail,
  'email-changed': composeEmailChangedMail,
  'email-confirmation': composeEmailConfirmationMail,
  'identity-linked': composeIdentityLinkedMail,
  'ldap-linked': composeLdapLinkedMail,
  'new-account': composeNewAccountMail,
  'password-reset': composePasswordResetMail,
};

/** Sends queued mails, until the returned function is called. */
export function sendMails(ctx: Context): () => Promise<void> {
  const mailer = createMailer(ctx.config, ctx.log);
  const delivery = createMailDelivery(ctx, { service: 'realm', mailer, compose: (job) => composeRealmMail(ctx, job) });
  delivery.start();
  return () => delivery.stop();
}

/** The mail's present content; null: no longer needed. */
export async function composeRealmMail(ctx: Context, job: MailJob): Promise<AddressedMail | null> {
  const compose = COMPOSERS[job.template];
  // Queued by a replica of another release during an upgrade; a replica that knows the template sends it later.
  if (!compose) throw new Error(`unknown mail template "${job.template}"`);
  const { name, subdomain } = (await findRealm(ctx.db, job.realmId)) as Organization;
  return compose(ctx, job, { name, url: realmUrl(subdomain, ctx.config.EXTERNAL_HOST) });
}

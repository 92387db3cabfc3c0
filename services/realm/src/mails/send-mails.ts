import { type AddressedMail, createMailDelivery, createMailer, type MailJob } from '@parley/shared/mail';
import type { Organization } from '@parley/shared/proto';
import { realmSettingsOf, realmUrl } from '@parley/shared/values';
import { composeKeyMadeMail } from '../api-keys/key-made-mail';
import type { MailComposer } from '../base/mail-composer';
import type { Context } from '../context';
import { composeEmailChangedMail, composeEmailConfirmationMail } from '../email-changes/email-changes';
import { composeLdapLinkedMail } from '../ldap/linked-mail';
import { noteMailBounced } from '../mail-recipients/bounces';
import { composeIdentityLinkedMail } from '../oidc/identity-linked-mail';
import { findRealm } from '../organization/realms.sql';
import { composePasswordResetMail } from '../sign-in/forgotten-password';
import { composeNewAccountMail } from '../sign-in/new-account-mail';
import { composeSignInMail } from '../sign-in/new-device';
import { composeDeactivationMail } from '../users/deactivation-mail';

const COMPOSERS: Readonly<Record<string, MailComposer>> = {
  'account-deactivated': composeDeactivationMail,
  'email-changed': composeEmailChangedMail,
  'email-confirmation': composeEmailConfirmationMail,
  'identity-linked': composeIdentityLinkedMail,
  'key-made': composeKeyMadeMail,
  'ldap-linked': composeLdapLinkedMail,
  'new-account': composeNewAccountMail,
  'password-reset': composePasswordResetMail,
  'sign-in': composeSignInMail,
};

/** Sends queued mails, until the returned function is called. */
export function sendMails(ctx: Context): () => Promise<void> {
  const mailer = createMailer(ctx.config, ctx.log);
  const delivery = createMailDelivery(ctx, {
    service: 'realm',
    mailer,
    compose: (job) => composeRealmMail(ctx, job),
    onRefused: ({ realmId, content }, reason, address) =>
      // Other mails, as to an address that is not confirmed yet, name no account.
      noteMailBounced(ctx, { realmId, userId: Number(content['userId'] ?? 0), address, reason }).then(() => {}),
  });
  delivery.start();
  return () => delivery.stop();
}

/** The mail's present content; null: no longer needed. */
export async function composeRealmMail(ctx: Context, job: MailJob): Promise<AddressedMail | null> {
  const compose = COMPOSERS[job.template];
  // Queued by a replica of another release during an upgrade; a replica that knows the template sends it later.
  if (!compose) throw new Error(`unknown mail template "${job.template}"`);
  const realm = (await findRealm(ctx.db, job.realmId)) as Organization;
  const url = realmUrl(realm.subdomain, ctx.config.EXTERNAL_HOST);
  return compose(ctx, job, { name: realm.name, url, language: realmSettingsOf(realm).default_language });
}

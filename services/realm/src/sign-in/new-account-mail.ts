import { composeMail, type MailJob } from '@parley/shared/mail';
import type { Organization } from '@parley/shared/proto';
import { realmSettingsOf } from '@parley/shared/values';
import { maySignInByPassword } from '../accounts/permissions';
import type { MailComposer, MailingOrganization } from '../base/mail-composer';
import type { Context } from '../context';
import { findMailHolder, type MailHolder } from '../mail-recipients/mail-holder';
import { findRealm } from '../organization/realms.sql';
import { passwordLink } from './forgotten-password';
import { findPasswordHash } from './sign-in.sql';

/** People read the first mail of a new account later than one that they asked for. */
const VALID_MS = 7 * 24 * 3_600_000;

/** Welcomes the holder of an account that an operator has created, who sets its first password by the link, or reads how else to sign in. */
export const composeNewAccountMail: MailComposer = async (ctx, { realmId, content }: MailJob, organization) => {
  const holder = await findMailHolder(ctx, organization, { realmId, userId: Number(content['userId']) });
  // An operator may have set a password meanwhile.
  if (!holder || (await findPasswordHash(ctx.db, realmId, holder.user.id)) !== null) return null;
  const { user, reader, texts } = holder;
  const { name, url } = organization;
  const { validity, ...further } = await waysIn(ctx, holder, organization);
  const mail = composeMail({
    language: reader.language,
    subject: texts.newAccount.subject(name),
    paragraphs: [texts.newAccount.said(name, url, user.deliveryEmail), validity],
    ...further,
  });
  return { ...mail, recipientName: user.fullName };
};

/** A password is set where people sign in with one; elsewhere there are the organization's directory and providers. */
async function waysIn(
  ctx: Context,
  { user, texts: { newAccount: texts } }: MailHolder,
  { name, url }: MailingOrganization,
) {
  const { realmId } = user;
  const realm = (await findRealm(ctx.db, realmId)) as Organization;
  if (!realm.hasLdap && maySignInByPassword(realmSettingsOf(realm), user.role)) {
    const action = { label: texts.action, url: await passwordLink(ctx, user, url, VALID_MS) };
    return { validity: texts.validity, action, footer: texts.footer(name) };
  }
  const providers = await ctx.prisma.oidcProvider.findMany({
    where: { realmId },
    select: { displayName: true },
    orderBy: { id: 'asc' },
  });
  const ways = [...providers.map(({ displayName }) => displayName), ...(realm.hasLdap ? [texts.directory] : [])];
  const action = { label: texts.signIn, url: `${url}/accounts/login` };
  return { validity: texts.ways(ways.join(', ')), action, footer: texts.footerWithoutPassword(name) };
}

import type { TimeReader } from '@parley/shared/mail';
import type { User } from '@parley/shared/proto';
import { textLanguage } from '@parley/shared/texts';
import { MAIL_TEXTS, type MailTexts } from '@parley/shared/texts/mails';
import type { MailKind } from '@parley/shared/values';
import { findUser } from '../accounts/users.sql';
import type { MailingOrganization } from '../base/mail-composer';
import type { Context } from '../context';
import { findChosenSettings } from '../user-settings/user-settings.sql';
import { findBounce } from './bounces.sql';
import { listMailRecipients, timeReaderOf } from './list-mail-recipients';

/** The holder of an account, who gets a mail about it. */
export interface MailHolder {
  user: User;
  reader: TimeReader;
  /** In their language. */
  texts: MailTexts['accounts'];
}

/** The holder of an active account; null: a mail is no longer needed. */
export async function findMailHolder(
  ctx: Context,
  organization: MailingOrganization,
  { realmId, userId }: { realmId: number; userId: number },
): Promise<MailHolder | null> {
  const user = await findUser(ctx.db, realmId, userId);
  return user?.isActive ? holderOf(ctx, organization, user) : null;
}

/** The same, unless the address refuses mails. */
export async function findReachableHolder(
  ctx: Context,
  organization: MailingOrganization,
  account: { realmId: number; userId: number },
): Promise<MailHolder | null> {
  const isBounced = (await findBounce(ctx.db, account.realmId, account.userId)) !== null;
  return isBounced ? null : findMailHolder(ctx, organization, account);
}

/** The holder of an account, active or not. */
export async function holderOf(ctx: Context, { language }: MailingOrganization, user: User): Promise<MailHolder> {
  const chosen = await findChosenSettings(ctx.db, user.realmId, user.id);
  const reader = timeReaderOf({ chosen, timezone: user.timezone }, { default_language: language });
  return { user, reader, texts: MAIL_TEXTS[textLanguage(reader.language)].accounts };
}

/** The page by which a holder ends mails of a kind; null: they have done so, or their address refuses mails. */
export async function findUnsubscribeUrl(ctx: Context, { realmId, id }: User, kind: MailKind): Promise<string | null> {
  const { recipients } = await listMailRecipients(ctx, { realmId, userIds: [id], kind });
  return recipients[0]?.unsubscribeUrl ?? null;
}

import { BadRequestError } from '@parley/shared/errors';
import type { TimeReader } from '@parley/shared/mail';
import type { ListMailRecipientsRequest, MailRecipient, MailRecipients } from '@parley/shared/proto';
import {
  isMailKind,
  type MailKind,
  REALM_SETTING_DEFAULTS,
  type RealmSettings,
  realmUrl,
  USER_SETTING_DEFAULTS,
  type UserSettings,
  wantsMails,
} from '@parley/shared/values';
import { possibleIds } from '../base/possible-values';
import type { Context } from '../context';
import { mailLinkKey } from './mail-links';
import { findMailingOrganization, listMailedByChannels, loadMailable, type Mailable } from './recipients.sql';

const MAX_USERS = 1_000;

/** The active people among the users to whom mails of a kind may be sent now; other services ask before each mail. */
export async function listMailRecipients(
  ctx: Context,
  { realmId, userIds, kind }: ListMailRecipientsRequest,
): Promise<MailRecipients> {
  if (userIds.length > MAX_USERS) throw new BadRequestError(`Too many users in one call (limit: ${MAX_USERS})`);
  if (!isMailKind(kind)) throw new BadRequestError(`There are no mails of the kind "${kind}"`);
  const organization = await findMailingOrganization(ctx.db, realmId);
  if (organization === null) return { realmName: '', realmUrl: '', recipients: [] };
  const url = realmUrl(organization.subdomain, ctx.config.EXTERNAL_HOST);
  const settings = { ...REALM_SETTING_DEFAULTS, ...organization.settings };
  const isSent = kind !== 'digest' || settings.digest_emails_enabled;
  const mailable = isSent ? await loadMailable(ctx.db, realmId, possibleIds(userIds)) : [];
  const wanting = await thoseWanting(ctx, realmId, kind, mailable);
  const linkOf = ({ userId, address }: Mailable) =>
    `${url}/unsubscribe/${mailLinkKey(ctx.config.BOT_KEY_SECRET, { realmId, userId, kind }, address)}`;
  const recipients = wanting.map((each) => ({ ...toRecipient(each, settings), unsubscribeUrl: linkOf(each) }));
  return { realmName: organization.name, realmUrl: url, recipients };
}

/** Without those who have ended mails of that kind. */
async function thoseWanting(
  ctx: Context,
  realmId: number,
  kind: MailKind,
  mailable: readonly Mailable[],
): Promise<Mailable[]> {
  const isOn = ({ chosen }: Mailable) => wantsMails(kind, { ...USER_SETTING_DEFAULTS, ...chosen });
  const others = kind === 'missed_messages' ? mailable.filter((each) => !isOn(each)) : [];
  const otherIds = others.map(({ userId }) => userId);
  const byChannels = new Set(otherIds.length === 0 ? [] : await listMailedByChannels(ctx.db, realmId, otherIds));
  return mailable.filter((each) => isOn(each) || byChannels.has(each.userId));
}

const NAMES_REALM = { always: 2, never: 3 };

function toRecipient(mailable: Mailable, realm: RealmSettings): Omit<MailRecipient, 'unsubscribeUrl'> {
  const { userId, address, fullName, isInSeveralRealms } = mailable;
  const own = { ...USER_SETTING_DEFAULTS, ...mailable.chosen };
  const policy = own.realm_name_in_email_notifications_policy;
  return {
    userId,
    address,
    fullName,
    ...timeReaderOf(mailable, realm),
    maySeeContent:
      own.message_content_in_email_notifications === true && realm.message_content_allowed_in_email_notifications,
    namesRealm: policy === NAMES_REALM.always || (policy !== NAMES_REALM.never && isInSeveralRealms),
  };
}

/** How a person reads: in their own language if they have chosen one, otherwise in the organization's. */
export function timeReaderOf(
  { chosen, timezone }: { chosen: Partial<UserSettings>; timezone: string },
  realm: Pick<RealmSettings, 'default_language'>,
): TimeReader {
  const { default_language: own, twenty_four_hour_time: hasTwentyFour = USER_SETTING_DEFAULTS.twenty_four_hour_time } =
    chosen;
  const language = own === undefined ? realm.default_language : String(own);
  return { language, timezone, hasTwentyFourHourTime: hasTwentyFour === true };
}

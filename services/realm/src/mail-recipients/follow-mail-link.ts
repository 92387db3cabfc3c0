import { announce } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { type DomainEvent, subscriptionPropertyChanged } from '@parley/shared/events';
import type { MailLink, MailLinkKey, Organization, User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import {
  MAIL_KINDS,
  type MailKind,
  realmSettingsOf,
  USER_SETTING_DEFAULTS,
  type UserSettings,
  wantsMails,
} from '@parley/shared/values';
import { findUser, lockUser } from '../accounts/users.sql';
import { possibleIds } from '../base/possible-values';
import type { Context } from '../context';
import { getOpenRealm } from '../organization/change-organization';
import { listOwnSubscriptions, lockOwnSubscriptions, storeOwnSubscriptions } from '../subscriptions/subscriptions.sql';
import { changeSettings, settingEvents } from '../user-settings/change-settings';
import { findChosenSettings } from '../user-settings/user-settings.sql';
import { endBounce, findBounce } from './bounces.sql';
import { timeReaderOf } from './list-mail-recipients';
import { isMailLinkOf, type MailLinkKind, parseMailLink } from './mail-links';
import { listMailedByChannels } from './recipients.sql';

/** What a link in a mail ends. Changes nothing: programs that check mails open their links, too. */
export async function findMailLink(ctx: Context, request: MailLinkKey): Promise<MailLink> {
  return describe(ctx.db, await linkOf(ctx, request));
}

/** Ends mails of the link's kind, or begins them anew. */
export async function followMailLink(ctx: Context, request: MailLinkKey): Promise<MailLink> {
  const link = await linkOf(ctx, request);
  const { kind, user } = link;
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, user.realmId, user.id);
    if (kind === 'address') await endBounce(tx, user.realmId, user.id);
    else await announce(tx, ...(await endMails(tx, user, kind)));
  });
  return { ...(await describe(ctx.db, link)), isDone: true };
}

interface FoundLink {
  realm: Organization;
  user: User;
  kind: MailLinkKind;
}

async function linkOf(ctx: Context, { subdomain, key }: MailLinkKey): Promise<FoundLink> {
  const realm = await getOpenRealm(ctx, subdomain);
  const parsed = parseMailLink(key);
  if (parsed?.realmId !== realm.id) throw noSuchLink();
  const [userId = 0] = possibleIds([parsed.userId]);
  const user = await findUser(ctx.db, realm.id, userId);
  if (!user || !isMailLinkOf(ctx.config.BOT_KEY_SECRET, parsed, user.deliveryEmail)) throw noSuchLink();
  return { realm, user, kind: parsed.kind };
}

function noSuchLink(): BadRequestError {
  return new BadRequestError(REFUSAL.links.noMailLink, {}, 404);
}

async function describe(sql: Sql, { realm, user, kind }: FoundLink): Promise<MailLink> {
  const chosen = await findChosenSettings(sql, user.realmId, user.id);
  const { language } = timeReaderOf({ chosen, timezone: '' }, realmSettingsOf(realm));
  const isDone = kind === 'address' ? await areMailsTaken(sql, user) : await areMailsEnded(sql, user, { kind, chosen });
  return { organizationName: realm.name, kind, address: user.deliveryEmail, language, isDone };
}

async function areMailsTaken(sql: Sql, { realmId, id }: User): Promise<boolean> {
  return (await findBounce(sql, realmId, id)) === null;
}

async function areMailsEnded(
  sql: Sql,
  { realmId, id }: User,
  { kind, chosen }: { kind: MailKind; chosen: Partial<UserSettings> },
): Promise<boolean> {
  if (wantsMails(kind, { ...USER_SETTING_DEFAULTS, ...chosen })) return false;
  return kind !== 'missed_messages' || (await listMailedByChannels(sql, realmId, [id])).length === 0;
}

/** Switches the kind's settings off, in a transaction that has locked the account; returns the events to announce. */
async function endMails(tx: Transaction, user: User, kind: MailKind): Promise<DomainEvent[]> {
  const off = Object.fromEntries(MAIL_KINDS[kind].map((name) => [name, false]));
  const changed = await changeSettings(tx, { realmId: user.realmId, userId: user.id }, off);
  const silenced = kind === 'missed_messages' ? await silenceChannels(tx, user) : [];
  return [...settingEvents(user, changed), ...silenced];
}

/** Switches mails off where the person has switched them on for single channels. */
async function silenceChannels(tx: Transaction, { realmId, id: userId }: User): Promise<DomainEvent[]> {
  const own = await listOwnSubscriptions(tx, realmId, userId);
  const mailedIds = own.flatMap(({ channelId, properties }) => (properties.emailNotifications ? [channelId] : []));
  if (mailedIds.length === 0) return [];
  const locked = await lockOwnSubscriptions(tx, realmId, userId, mailedIds);
  const silent = locked.map(({ channelId, properties }) => ({
    channelId,
    properties: { ...properties, emailNotifications: false },
  }));
  await storeOwnSubscriptions(tx, realmId, userId, silent);
  const property = { property: 'email_notifications', value: false };
  return locked.map(({ channelId, isArchived }) =>
    subscriptionPropertyChanged(realmId, { userId, channelId, isArchived, ...property }),
  );
}

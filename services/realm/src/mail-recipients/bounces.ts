import type { Transaction } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import { asCode } from '@parley/shared/notice-text';
import type { NoteMailBouncedRequest, NoteMailBouncedResponse, Organization } from '@parley/shared/proto';
import { textLanguage } from '@parley/shared/texts';
import { MAIL_TEXTS } from '@parley/shared/texts/mails';
import { realmSettingsOf, realmUrl, truncate } from '@parley/shared/values';
import { possibleIds, possibleTexts } from '../base/possible-values';
import type { Context } from '../context';
import { noticeEvents } from '../notices/notice-events';
import { findRealm } from '../organization/realms.sql';
import { findChosenSettings } from '../user-settings/user-settings.sql';
import { noteBounce, takeUntoldBounce } from './bounces.sql';
import { timeReaderOf } from './list-mail-recipients';
import { mailLinkKey } from './mail-links';

const MAX_REASON_LENGTH = 500;

/** Notes that a person's address refuses mails, which end until it has changed or the person says that it is right. */
export async function noteMailBounced(
  ctx: Context,
  { realmId, userId, address, reason }: NoteMailBouncedRequest,
): Promise<NoteMailBouncedResponse> {
  if (possibleIds([realmId, userId]).length < 2 || possibleTexts([address]).length === 0) return {};
  const said = truncate(reason.replaceAll('\0', ''), MAX_REASON_LENGTH, '…');
  await noteBounce(ctx.db, { realmId, userId, address, reason: said }, ctx.clock.now());
  return {};
}

/** The event by which a person who signs in is told, once, that mails do not reach them; called in the sign-in's transaction. */
export async function bounceEvents(
  ctx: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  { realmId, userId }: { realmId: number; userId: number },
): Promise<DomainEvent[]> {
  const bounce = await takeUntoldBounce(tx, { realmId, userId }, ctx.clock.now());
  if (bounce === null) return [];
  const realm = (await findRealm(tx, realmId)) as Organization;
  const chosen = await findChosenSettings(tx, realmId, userId);
  const { language } = timeReaderOf({ chosen, timezone: '' }, realmSettingsOf(realm));
  const key = mailLinkKey(ctx.config.BOT_KEY_SECRET, { realmId, userId, kind: 'address' }, bounce.address);
  const url = `${realmUrl(realm.subdomain, ctx.config.EXTERNAL_HOST)}/unsubscribe/${key}`;
  const content = MAIL_TEXTS[textLanguage(language)].bounce(
    asCode(bounce.address),
    asCode(inOneLine(bounce.reason)),
    url,
  );
  return noticeEvents(tx, realmId, [{ from: 'notification-bot', to: { userIds: [userId] }, content, readByIds: [] }]);
}

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

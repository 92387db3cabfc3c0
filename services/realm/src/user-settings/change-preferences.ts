import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, exportConsentChanged, userStatusChanged } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import type { UserSettings } from '@parley/shared/values';
import { followPresenceSetting } from '../presence/follow-presence-setting';
import { userAudience } from '../users/accessible-users';
import { listAdministratorIds } from '../users/users.sql';
import { changeEmailVisibility } from './change-email-visibility';
import { changeSettings, settingEvents } from './change-settings';

/** Stores what a user wants otherwise, in a transaction that holds the account; returns what is to be announced. */
export async function changePreferences(
  tx: Transaction,
  user: User,
  { email_address_visibility: visibility, ...wanted }: Partial<UserSettings>,
  nowMs: number,
): Promise<DomainEvent[]> {
  const holder = { realmId: user.realmId, userId: user.id };
  const changed = await changeSettings(tx, holder, wanted);
  return [
    ...settingEvents(user, changed),
    ...(visibility === undefined ? [] : await changeEmailVisibility(tx, user, Number(visibility))),
    ...(await consequences(tx, user, changed, nowMs)),
  ];
}

/** What others get to know of a user's settings. */
async function consequences(
  tx: Transaction,
  user: User,
  changed: Partial<UserSettings>,
  nowMs: number,
): Promise<DomainEvent[]> {
  const { realmId, id: userId } = user;
  const { presence_enabled: isSeen, allow_private_data_export: hasConsented } = changed;
  const events: DomainEvent[] = [];
  // Clients know it as a part of the status: whoever hides their presence is away.
  if (isSeen !== undefined) {
    const audience = await userAudience(tx, realmId, userId);
    events.push(userStatusChanged(realmId, { userId, audience, isAway: !isSeen }));
    events.push(
      ...(await followPresenceSetting(tx, { realmId, userId }, { isShown: isSeen === true, audience, nowMs })),
    );
  }
  if (hasConsented !== undefined) {
    const administratorIds = await listAdministratorIds(tx, realmId);
    events.push(exportConsentChanged(realmId, { userId, hasConsented: hasConsented === true, administratorIds }));
  }
  return events;
}

import { USER_SETTING_DEFAULTS } from '@parley/shared/values';
import { INHERITED_SETTINGS, type InheritedNotifications, inheritedNotifications } from '@parley/shared/wire';
import type { Beginning } from './plan-subscriptions';
import type { ChoicesRow } from './subscriptions.sql';

/** The settings of accounts that withInherited() wants of listChoices(). */
export const INHERITED_SETTING_NAMES = Object.values(INHERITED_SETTINGS);

/** Adds to subscriptions what their users' accounts have set, for clients that expect it in the place of null. */
export function withInherited(beginnings: readonly Beginning[], choices: readonly ChoicesRow[]): Beginning[] {
  const chosenBy = new Map(choices.map(({ userId, chosen }) => [userId, chosen]));
  const ofUser = new Map<number, InheritedNotifications>();
  return beginnings.map((beginning) => {
    const { userId } = beginning;
    const chosen = chosenBy.get(userId);
    const inherited =
      ofUser.get(userId) ?? inheritedNotifications((name) => chosen?.[name] ?? USER_SETTING_DEFAULTS[name]);
    ofUser.set(userId, inherited);
    return { ...beginning, inherited };
  });
}

import type { PersonalState, RegisterState } from '@parley/shared/proto';
import { publicMutedUser, publicNavigationView } from '@parley/shared/wire';
import { z } from 'zod';
import { navigationViewSchema } from '../navigation-view';
import { ownSettingsSchema, publicSettings, settingsSchema } from '../user-settings';
import { publicUserStatus, userStatusSchema } from '../user-status';
import { bundle } from './bundle';
import { formerSettingsBundles, formerSettingsFields } from './former-settings-bundles';

const personalOf = (state: RegisterState) => state.personal as PersonalState;

const alertWordsBundle = bundle({
  type: 'alert_words',
  fields: { alert_words: z.array(z.string()) },
  present: (state) => ({ alert_words: personalOf(state).alertWords }),
});

const mutedUsersBundle = bundle({
  type: 'muted_users',
  fields: { muted_users: z.array(z.strictObject({ id: z.int(), timestamp: z.int() })) },
  present: (state) => ({ muted_users: personalOf(state).mutedUsers.map(publicMutedUser) }),
});

const navigationViewsBundle = bundle({
  type: 'navigation_views',
  fields: { navigation_views: z.array(navigationViewSchema) },
  present: (state) => ({ navigation_views: personalOf(state).navigationViews.map(publicNavigationView) }),
});

const userSettingsBundle = bundle({
  type: 'user_settings',
  fields: { user_settings: ownSettingsSchema },
  present: (state) => ({
    user_settings: { ...publicSettings(personalOf(state).settings), timezone: state.ownUser?.timezone ?? '' },
  }),
});

const settingsDefaultsBundle = bundle({
  type: 'realm_user_settings_defaults',
  fields: { realm_user_settings_defaults: settingsSchema },
  present: (state) => ({ realm_user_settings_defaults: publicSettings(personalOf(state).settingsDefaults) }),
});

const userStatusBundle = bundle({
  type: 'user_status',
  fields: { user_status: z.record(z.string(), userStatusSchema) },
  present: (state) => ({
    user_status: Object.fromEntries(
      personalOf(state).statuses.map((status) => [String(status.userId), publicUserStatus(status)]),
    ),
  }),
});

/** The caller's settings and lists, and everybody's status. */
export const personalBundles = [
  alertWordsBundle,
  mutedUsersBundle,
  navigationViewsBundle,
  // Clients ask for the views by the name of their event, too.
  { ...navigationViewsBundle, type: 'navigation_view' },
  userSettingsBundle,
  ...formerSettingsBundles,
  settingsDefaultsBundle,
  userStatusBundle,
];

export const personalFields = {
  ...alertWordsBundle.fields,
  ...mutedUsersBundle.fields,
  ...navigationViewsBundle.fields,
  ...userSettingsBundle.fields,
  ...formerSettingsFields,
  ...settingsDefaultsBundle.fields,
  ...userStatusBundle.fields,
};

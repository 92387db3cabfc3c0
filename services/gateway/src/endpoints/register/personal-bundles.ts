import type { PersonalState, RegisterState } from '@parley/shared/proto';
import { FORMER_USER_SETTINGS, type FormerSettingsType } from '@parley/shared/values';
import { publicMutedUser, publicNavigationView, publicOnboardingSteps } from '@parley/shared/wire';
import { z } from 'zod';
import { publicUserStatus, userStatusSchema } from '../../wire/presence';
import { navigationViewSchema, ownSettingsSchema, publicSettings, settingsSchema } from '../../wire/user-settings';
import { type Bundle, bundle } from './bundle';

type FieldName = (typeof FORMER_USER_SETTINGS)[FormerSettingsType][number] | ChoiceName;
type ChoiceName = 'available_notification_sounds' | 'emojiset_choices';

const FIELDS: Readonly<Record<FormerSettingsType, readonly FieldName[]>> = {
  update_display_settings: [...FORMER_USER_SETTINGS.update_display_settings, 'emojiset_choices'],
  update_global_notifications: [...FORMER_USER_SETTINGS.update_global_notifications, 'available_notification_sounds'],
};

const DEPRECATED = 'Deprecated: see user_settings. Absent for clients with the capability `user_settings_object`.';

/** Settings as members of the state, for clients without the capability `user_settings_object`. */
function formerSettings(type: FormerSettingsType): Bundle {
  const { shape } = settingsSchema;
  return bundle({
    type,
    fields: Object.fromEntries(FIELDS[type].map((name) => [name, (shape[name] as z.ZodType).describe(DEPRECATED)])),
    present: (state, { capabilities }) => (capabilities.has('user_settings_object') ? {} : valuesOf(state, type)),
  });
}

function valuesOf(state: RegisterState, type: FormerSettingsType): Record<string, unknown> {
  const settings = publicSettings((state.personal as PersonalState).settings);
  const entries = FIELDS[type].map((name) => [name, settings[name]]);
  return {
    ...Object.fromEntries(entries),
    ...(type === 'update_display_settings' && { timezone: state.ownUser?.timezone ?? '' }),
  };
}

const formerSettingsBundles = [
  formerSettings('update_display_settings'),
  formerSettings('update_global_notifications'),
];

const formerSettingsFields: z.ZodRawShape = {
  ...Object.assign({}, ...formerSettingsBundles.map(({ fields }) => fields)),
  timezone: z.string().describe(DEPRECATED),
};

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
  // Clients request the views by the name of their event, too.
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

export const onboardingBundle = bundle({
  type: 'onboarding_steps',
  fields: {
    onboarding_steps: z
      .array(z.strictObject({ type: z.literal('one_time_notice'), name: z.string() }))
      .describe('Hints for new users that the caller has not seen yet.'),
    navigation_tour_video_url: z.null().describe('There is no such video.'),
  },
  present: ({ personal }) => ({
    onboarding_steps: publicOnboardingSteps((personal as PersonalState).completedOnboardingSteps),
    navigation_tour_video_url: null,
  }),
});

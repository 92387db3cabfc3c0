import type { AlertWordSince, MutedUser } from '../proto';
import { isFormerSetting, languageName, type SettingValue, type UserSettingName } from '../values';
import { publicMutedUser, publicOnboardingSteps } from '../wire';
import type { Audience } from './audience';
import { type ClientView, declareEvent } from './declare-event';

// Events of users' own settings, for their own clients.

export interface UserSettingChanged {
  userId: number;
  /** The API address, for old clients; absent in older records. */
  email?: string;
  name: UserSettingName;
  value: SettingValue;
}

/** Whether a client gets its settings in a separate object; others get them as members of the state. */
function knowsSettingsObject({ capabilities }: ClientView): boolean {
  return capabilities.includes('user_settings_object');
}

const language = ({ name, value }: UserSettingChanged) =>
  name === 'default_language' ? { language_name: languageName(String(value)) } : {};

/**
 * A user has changed a personal setting. Public event `user_settings`, for that user; for old clients, which get both, also
 * `update_display_settings` or `update_global_notifications`.
 */
export const userSettingChanged = declareEvent<UserSettingChanged>()('user-setting.changed', [
  {
    type: 'user_settings',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: (payload) => ({
      type: 'user_settings',
      op: 'update',
      property: payload.name,
      value: payload.value,
      ...language(payload),
    }),
  },
  {
    type: 'update_display_settings',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    isFor: ({ email, name }, view) =>
      email !== undefined && isFormerSetting('update_display_settings', name) && !knowsSettingsObject(view),
    variant: () => '',
    render: (payload) => ({
      type: 'update_display_settings',
      user: payload.email,
      setting_name: payload.name,
      setting: payload.value,
      ...language(payload),
    }),
  },
  {
    type: 'update_global_notifications',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    isFor: ({ email, name }, view) =>
      email !== undefined && isFormerSetting('update_global_notifications', name) && !knowsSettingsObject(view),
    variant: () => '',
    render: ({ email, name, value }) => ({
      type: 'update_global_notifications',
      user: email,
      notification_name: name,
      setting: value,
    }),
  },
]);

export interface TimezoneChanged {
  userId: number;
  /** Users who may see the user. */
  audience: Audience;
  /** The API address. */
  email: string;
  timezone: string;
}

/**
 * A user has changed the time zone. Public events `user_settings`, and for old clients `update_display_settings`, for
 * that user, and `realm_user`, for users who may see the user.
 */
export const timezoneChanged = declareEvent<TimezoneChanged>()('timezone.changed', [
  {
    type: 'user_settings',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ timezone }) => ({ type: 'user_settings', op: 'update', property: 'timezone', value: timezone }),
  },
  {
    type: 'realm_user',
    audience: ({ audience }) => audience,
    variant: () => '',
    render: ({ userId, email, timezone }) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: userId, email, timezone },
    }),
  },
  {
    type: 'update_display_settings',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    isFor: (_payload, view) => !knowsSettingsObject(view),
    variant: () => '',
    render: ({ email, timezone }) => ({
      type: 'update_display_settings',
      user: email,
      setting_name: 'timezone',
      setting: timezone,
    }),
  },
]);

export interface UserSettingsDefaultChanged {
  name: UserSettingName;
  value: SettingValue;
}

/** The default of a setting for new accounts changed. Public event `realm_user_settings_defaults`, for everybody. */
export const userSettingsDefaultChanged = declareEvent<UserSettingsDefaultChanged>()('user-settings-default.changed', [
  {
    type: 'realm_user_settings_defaults',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ name, value }) => ({ type: 'realm_user_settings_defaults', op: 'update', property: name, value }),
  },
]);

export interface AlertWordsChanged {
  userId: number;
  /** All of them, after the change. */
  alertWords: AlertWordSince[];
}

/** A user's alert words changed. Public event `alert_words`, for that user. */
export const alertWordsChanged = declareEvent<AlertWordsChanged>()('alert-words.changed', [
  {
    type: 'alert_words',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ alertWords }) => ({ type: 'alert_words', alert_words: alertWords.map(({ word }) => word) }),
  },
]);

export interface MutedUsersChanged {
  userId: number;
  /** The users just muted or unmuted. */
  mutedUserId: number;
  isMuted: boolean;
  /** All users that this user mutes now. */
  mutedUsers: MutedUser[];
}

/** A user has muted or unmuted another one. Public event `muted_users`, for that user. */
export const mutedUsersChanged = declareEvent<MutedUsersChanged>()('muted-users.changed', [
  {
    type: 'muted_users',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ mutedUsers }) => ({ type: 'muted_users', muted_users: mutedUsers.map(publicMutedUser) }),
  },
]);

export interface OnboardingStepCompleted {
  userId: number;
  /** All hints that the user has seen. */
  completed: string[];
}

/** A user has seen a hint for new users. Public event `onboarding_steps`, for that user. */
export const onboardingStepCompleted = declareEvent<OnboardingStepCompleted>()('onboarding-step.completed', [
  {
    type: 'onboarding_steps',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ completed }) => ({ type: 'onboarding_steps', onboarding_steps: publicOnboardingSteps(completed) }),
  },
]);

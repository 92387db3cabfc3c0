import type { Audience } from './audience';
import { declareEvent } from './declare-event';
import { knowsSettingsObject } from './user-setting-changed';

export interface TimezoneChanged {
  userId: number;
  /** Those who know the user. */
  audience: Audience;
  /** The API address. */
  email: string;
  timezone: string;
}

/**
 * A user lives in another time zone. Public events `user_settings`, and of old `update_display_settings`, for
 * that user, and `realm_user`, for those who know them.
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

import { REALM_PERMISSION_SETTINGS } from '@parley/shared/access';
import { REALM_SETTING_NAMES } from '@parley/shared/values';
import { areForOwners } from './permissions';

test('some settings are for owners, the rest for administrators too', () => {
  expect(REALM_SETTING_NAMES.filter((name) => areForOwners([name], []))).toEqual([
    'emails_restricted_to_domains',
    'disallow_disposable_email_addresses',
    'invite_required',
    'message_retention_days',
    'waiting_period_threshold',
    'authentication_methods',
    'password_sign_in',
  ]);
});

test('and so are some permissions', () => {
  expect(Object.keys(REALM_PERMISSION_SETTINGS).filter((name) => areForOwners([], [name]))).toEqual([
    'can_create_groups',
    'can_invite_users_group',
    'can_manage_all_groups',
    'can_manage_billing_group',
    'create_multiuse_invite_group',
  ]);
});

test('one of them among others is enough', () => {
  expect(areForOwners(['digest_weekday'], ['can_add_custom_emoji_group'])).toBe(false);
  expect(areForOwners(['digest_weekday', 'invite_required'], [])).toBe(true);
  expect(areForOwners([], ['can_add_custom_emoji_group', 'can_create_groups'])).toBe(true);
  expect(areForOwners([], [])).toBe(false);
});

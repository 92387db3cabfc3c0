import type { GroupPermissionName, RealmPermissionName } from '@parley/shared/settings';
import { type Area, type ClientState, type GroupSetting, type Person, type RealmEmoji, read } from './model';

export type { GroupSetting } from './model';

export interface Group extends Record<GroupPermissionName, GroupSetting> {
  id: number;
  name: string;
  description: string;
  members: number[];
  direct_subgroup_ids: number[];
  is_system_group: boolean;
  deactivated: boolean;
}

export interface Account extends Person {
  delivery_email: string | null;
  date_joined: string;
  bot_type?: number;
  bot_owner_id?: number | null;
  profile_data?: Record<string, { value: string }>;
}

export interface Bot {
  user_id: number;
  full_name: string;
  email: string;
  bot_type: number | null;
  is_active: boolean;
  owner_id: number | null;
  avatar_url: string;
  services: { base_url: string; interface: number; token: string }[];
}

export interface CustomEmoji extends RealmEmoji {
  author_id: number | null;
}

export interface ProfileField {
  id: number;
  type: number;
  name: string;
  hint: string;
  /** JSON, or empty. */
  field_data: string;
  required: boolean;
  editable_by_user: boolean;
  display_in_profile_summary?: true;
}

export interface ChannelFolder {
  id: number;
  name: string;
  description: string;
  is_archived: boolean;
}

/** The members of the state that settings show. */
export interface SettingsState extends Omit<ClientState, Own>, RealmPermissions {
  is_owner: boolean;
  email: string;
  delivery_email: string;
  avatar_url: string;
  avatar_source: string;
  user_settings: Record<string, boolean | number | string>;
  realm_user_settings_defaults: Record<string, boolean | number | string>;
  alert_words: string[];
  realm_description: string;
  realm_name_changes_disabled: boolean;
  realm_email_changes_disabled: boolean;
  realm_avatar_changes_disabled: boolean;
  realm_icon_url: string;
  realm_icon_source: string;
  realm_logo_url: string;
  realm_logo_source: string;
  realm_night_logo_source: string;
  realm_welcome_message_custom_text: string;
  realm_night_logo_url: string;
  realm_url: string;
  realm_authentication_methods: Record<string, { enabled: boolean; available: boolean }>;
  realm_user_groups: Group[];
  realm_bots: Bot[];
  realm_emoji: Record<string, CustomEmoji>;
  realm_linkifiers: { id: number; pattern: string; url_template: string }[];
  realm_playgrounds: { id: number; name: string; pygments_language: string; url_template: string }[];
  realm_domains: { domain: string; allow_subdomains: boolean }[];
  realm_default_streams: number[];
  custom_profile_fields: ProfileField[];
  custom_profile_field_types: Record<string, { id: number; name: string }>;
  realm_default_external_accounts: Record<string, { text: string; name: string }>;
  channel_folders: ChannelFolder[];
  password_min_length: number;
  max_avatar_file_size_mib: number;
}

type Own =
  | 'channel_folders'
  | 'custom_profile_fields'
  | 'realm_default_external_accounts'
  | 'realm_user_groups'
  | 'realm_emoji'
  | 'avatar_url'
  | 'user_settings';

type RealmPermissions = { [Name in `realm_${RealmPermissionName}`]: GroupSetting };

/** The state, for a component of the settings. */
export function readSettings(...areas: readonly Area[]): SettingsState {
  return read('settings', ...areas) as unknown as SettingsState;
}

import { GIF_RATINGS, VIDEO_CHAT_PROVIDERS } from './client-lists';
import { isLanguage } from './languages';
import { ORG_TYPES } from './organizations';
import { isWebUrl } from './web-url';

/** The sign-in methods of this server: a password, and none at all, on development servers. */
const AUTHENTICATION_METHODS = ['Email', 'Dev'] as const;

export type AuthenticationMethod = (typeof AUTHENTICATION_METHODS)[number];
export type AuthenticationMethods = Readonly<Record<AuthenticationMethod, boolean>>;

/** The sign-in methods that a server offers; called where `DEV_LOGIN` is known. */
export function availableMethods({ DEV_LOGIN: isDevelopment }: { DEV_LOGIN: boolean }): AuthenticationMethod[] {
  return AUTHENTICATION_METHODS.filter((name) => name !== 'Dev' || isDevelopment);
}

type RealmSettingValue = boolean | number | string | null | AuthenticationMethods;

interface Rules {
  /** Absent: administrators may change it, too. */
  readonly isForOwners?: true;
  /** Absent: every value of the type, subject to the other rules. */
  readonly choices?: readonly (number | string)[];
  readonly range?: { readonly min: number; readonly max: number };
  /** In code points. */
  readonly maxLength?: number;
  readonly isValid?: (text: string) => boolean;
  /** Words that clients may send instead of a value, with their values. */
  readonly words?: Readonly<Record<string, number | null>>;
  /** The id of a channel, or NO_CHANNEL. */
  readonly isChannel?: true;
}

/** A setting of an organization. */
export interface RealmSetting<Value extends RealmSettingValue = RealmSettingValue> extends Rules {
  readonly type: 'boolean' | 'integer' | 'text' | 'methods';
  readonly default: Value;
}

/** Instead of a channel's id: none. */
export const NO_CHANNEL = -1;
/** As `message_retention_days`: messages are kept forever. */
export const FOR_EVER = -1;

const MAX_INTEGER = 2 ** 31 - 1;
const MAX_TEXT_LENGTH = 8_000;
const MAX_NAME_LENGTH = 100;
const MAX_URL_LENGTH = 200;
const POSITIVE = { min: 1, max: MAX_INTEGER };
const OWNERS = { isForOwners: true } as const;

/**
 * Every setting of an organization except its name, its description and its permissions (in shared/access), by its name in
 * the API, which is also its name in the database and in events. Parameters, checks, answers and the OpenAPI
 * document derive from it.
 */
const CATALOGUE = {
  org_type: integer(ORG_TYPES.unspecified, { choices: Object.values(ORG_TYPES) }),
  default_language: text('en', { isValid: isLanguage }),
  digest_emails_enabled: flag(false),
  digest_weekday: integer(1, { choices: [0, 1, 2, 3, 4, 5, 6] }),
  send_welcome_emails: flag(true),
  welcome_message_custom_text: text('', { maxLength: MAX_TEXT_LENGTH }),
  emails_restricted_to_domains: flag(false, OWNERS),
  disallow_disposable_email_addresses: flag(true, OWNERS),
  invite_required: flag(true, OWNERS),
  name_changes_disabled: flag(false),
  email_changes_disabled: flag(false),
  avatar_changes_disabled: flag(false),
  require_unique_names: flag(false),
  inline_image_preview: flag(true),
  inline_url_embed_preview: flag(false),
  allow_message_editing: flag(true),
  message_content_edit_limit_seconds: timeLimit(600),
  message_content_delete_limit_seconds: timeLimit(600),
  move_messages_within_stream_limit_seconds: timeLimit(604_800),
  move_messages_between_streams_limit_seconds: timeLimit(604_800),
  message_edit_history_visibility_policy: text('all', { choices: ['all', 'moves', 'none'] }),
  topics_policy: text('allow_empty_topic', { choices: ['allow_empty_topic', 'disable_empty_topic'] }),
  message_retention_days: integer(FOR_EVER, { ...OWNERS, range: POSITIVE, words: { unlimited: FOR_EVER } }),
  waiting_period_threshold: integer(0, { ...OWNERS, range: { min: 0, max: 100_000 } }),
  authentication_methods: { type: 'methods', default: { Email: true, Dev: true }, ...OWNERS } as const,
  password_sign_in: text('all', { choices: ['all', 'owners', 'off'], ...OWNERS }),
  new_stream_announcements_stream_id: channel(),
  signup_announcements_stream_id: channel(),
  service_update_announcements_stream_id: channel(),
  moderation_request_channel_id: channel(),
  message_content_allowed_in_email_notifications: flag(true),
  video_chat_provider: integer(VIDEO_CHAT_PROVIDERS.jitsi_meet.id, { choices: idsOf(VIDEO_CHAT_PROVIDERS) }),
  jitsi_server_url: jitsiServer(),
  giphy_rating: integer(GIF_RATINGS.g.id, { choices: idsOf(GIF_RATINGS) }),
  default_code_block_language: text('', { maxLength: MAX_NAME_LENGTH }),
  enable_spectator_access: flag(false),
  want_advertise_in_communities_directory: flag(false),
  enable_read_receipts: flag(false),
  enable_guest_user_indicator: flag(true),
  enable_guest_user_dm_warning: flag(true),
  require_e2ee_push_notifications: flag(false),
  send_channel_events_messages: flag(false),
};

export type RealmSettingName = keyof typeof CATALOGUE;

/** Values by name: all settings of an organization, or some, in the database and in requests. */
export type RealmSettings = {
  -readonly [Name in RealmSettingName]: (typeof CATALOGUE)[Name] extends RealmSetting<infer Value> ? Value : never;
};

export const REALM_SETTINGS: Readonly<Record<RealmSettingName, RealmSetting>> = CATALOGUE;

export const REALM_SETTING_NAMES = Object.keys(CATALOGUE) as RealmSettingName[];

/** The default of each setting. */
export const REALM_SETTING_DEFAULTS = Object.fromEntries(
  REALM_SETTING_NAMES.map((name) => [name, CATALOGUE[name].default]),
) as Readonly<RealmSettings>;

/** Whether there is a setting of that name; for untrusted names. */
export function isRealmSettingName(name: string): name is RealmSettingName {
  return Object.hasOwn(CATALOGUE, name);
}

/** Every setting of an organization, from its explicit choices; called where an Organization message is received. */
export function realmSettingsOf({ settings }: { settings: string }): Readonly<RealmSettings> {
  const all = { ...REALM_SETTING_DEFAULTS, ...(JSON.parse(settings) as Partial<RealmSettings>) };
  const { jitsi_server_url: callUrl } = all;
  // Stored before addresses were checked.
  return callUrl !== null && !isWebUrl(callUrl) ? { ...all, jitsi_server_url: null } : all;
}

function flag(value: boolean, rules: Rules = {}): RealmSetting<boolean> {
  return { type: 'boolean', default: value, ...rules };
}

function integer(value: number, rules: Rules): RealmSetting<number> {
  return { type: 'integer', default: value, ...rules };
}

function text(value: string, rules: Rules): RealmSetting<string> {
  return { type: 'text', default: value, ...rules };
}

/** Seconds; null: no limit. */
function timeLimit(secs: number): RealmSetting<number | null> {
  return { type: 'integer', default: secs, range: POSITIVE, words: { unlimited: null } };
}

function channel(): RealmSetting<number> {
  const range = { min: NO_CHANNEL, max: Number.MAX_SAFE_INTEGER };
  return { type: 'integer', default: NO_CHANNEL, isChannel: true, range };
}

/** Null: the server's. */
function jitsiServer(): RealmSetting<string | null> {
  return { type: 'text', default: null, maxLength: MAX_URL_LENGTH, isValid: isWebUrl, words: { default: null } };
}

function idsOf(options: Readonly<Record<string, { readonly id: number }>>): number[] {
  return Object.values(options).map(({ id }) => id);
}

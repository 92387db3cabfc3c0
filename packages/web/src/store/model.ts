import { applyEvents } from '@parley/client-model/apply-events';
import type { PublicEvent } from '@parley/client-model/rules';
import type { State } from '@parley/client-model/state';
import { type Signal, signal } from '@preact/signals';
import { isPartOfState, KIND, type Link, type LiveNews, stateOf } from '../api/live-session';

// The state of the client: the answer of POST /register, kept up to date by the events of its queue. It is changed in place; a
// component that reads a part of it reads the part's signal, too, which says that the part has changed.

export interface Person {
  user_id: number;
  full_name: string;
  email: string;
  avatar_url: string | null;
  is_bot: boolean;
  is_guest?: boolean;
  role: number;
  delivery_email?: string | null;
  timezone?: string;
  date_joined?: string;
  bot_owner_id?: number | null;
  profile_data?: Record<string, { value: string; rendered_value?: string }>;
}

/** A person's status. */
export interface Status {
  status_text?: string;
  emoji_name?: string;
  emoji_code?: string;
  reaction_type?: string;
}

export interface ProfileField {
  id: number;
  type: number;
  name: string;
  field_data: string;
  display_in_profile_summary?: boolean;
}

export interface Channel {
  stream_id: number;
  name: string;
  description: string;
  invite_only: boolean;
  is_archived: boolean;
  folder_id: number | null;
  can_subscribe_group: GroupSetting;
  can_remove_subscribers_group: GroupSetting;
  rendered_description: string;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
  message_retention_days: number | null;
  creator_id: number | null;
  date_created: number;
  is_recently_active: boolean;
  stream_weekly_traffic: number | null;
  topics_policy: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';
  can_send_message_group: GroupSetting;
  can_add_subscribers_group: GroupSetting;
  can_administer_channel_group: GroupSetting;
  can_delete_any_message_group: GroupSetting;
  can_delete_own_message_group: GroupSetting;
  can_move_messages_out_of_channel_group: GroupSetting;
  can_move_messages_within_channel_group: GroupSetting;
  can_resolve_topics_group: GroupSetting;
  subscriber_count: number;
  /** All of them, or some, in channels where they are many; neither for channels that are not seen. */
  subscribers?: number[];
  partial_subscribers?: number[];
}

/** The value of a permission: a group, or people and groups. */
export type GroupSetting = number | { direct_members: number[]; direct_subgroups: number[] };

/** To whom a permission can be given. */
export interface SupportedPermission {
  require_system_group: boolean;
  allow_nobody_group: boolean;
  allow_everyone_group: boolean;
  default_group_name: string;
  allowed_system_groups: string[];
}

export interface Group {
  id: number;
  name: string;
  description: string;
  members: number[];
  direct_subgroup_ids: number[];
  is_system_group: boolean;
  deactivated: boolean;
  can_mention_group: GroupSetting;
}

export interface StoredDraft {
  id: number;
  type: '' | 'stream' | 'private';
  to: number[];
  topic: string;
  content: string;
  timestamp: number;
}

export interface SavedSnippet {
  id: number;
  title: string;
  content: string;
}

export interface ScheduledMessage {
  scheduled_message_id: number;
  type: 'stream' | 'private';
  to: number | number[];
  topic?: string;
  content: string;
  rendered_content: string;
  scheduled_delivery_timestamp: number;
  failed: boolean;
}

export interface Reminder {
  reminder_id: number;
  content: string;
  rendered_content: string;
  scheduled_delivery_timestamp: number;
  failed: boolean;
  reminder_target_message_id: number;
}

export interface RealmEmoji {
  id: string;
  name: string;
  source_url: string;
  still_url: string | null;
  deactivated: boolean;
}

export interface Subscription extends Channel {
  color: string;
  is_muted: boolean;
  pin_to_top: boolean;
  desktop_notifications: boolean | null;
  audible_notifications: boolean | null;
  push_notifications: boolean | null;
  email_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
}

export interface Folder {
  id: number;
  name: string;
  description?: string;
  order?: number;
  is_archived?: boolean;
}

interface UnreadTopic {
  stream_id: number;
  topic: string;
  unread_message_ids: number[];
}

interface Unread {
  count: number;
  mentions: number[];
  pms: { other_user_id: number; unread_message_ids: number[] }[];
  huddles: { user_ids_string: string; unread_message_ids: number[] }[];
  streams: UnreadTopic[];
}

/** The members that the client reads. */
export interface ClientState {
  user_id: number;
  full_name: string;
  realm_name: string;
  realm_users: Person[];
  realm_non_active_users: Person[];
  cross_realm_bots: Person[];
  subscriptions: Subscription[];
  streams: Channel[];
  channel_folders: Folder[];
  unread_msgs: Unread;
  recent_private_conversations: { max_message_id: number; user_ids: number[] }[];
  user_topics: { stream_id: number; topic_name: string; visibility_policy: number }[];
  presences: Record<string, { active_timestamp?: number; idle_timestamp?: number }>;
  user_status: Record<string, Status>;
  muted_users: { id: number; timestamp: number }[];
  alert_words: string[];
  custom_profile_fields: ProfileField[];
  realm_default_external_accounts?: Record<string, { url_pattern?: string }>;
  starred_messages: number[];
  avatar_url: string | null;
  is_admin: boolean;
  realm_presence_disabled: boolean;
  server_presence_ping_interval_seconds: number;
  can_create_streams: boolean;
  can_create_public_streams: boolean;
  can_create_private_streams: boolean;
  can_create_web_public_streams: boolean;
  can_invite_others_to_realm: boolean;
  realm_create_multiuse_invite_group: GroupSetting;
  realm_can_resolve_topics_group: GroupSetting;
  realm_message_retention_days: number;
  is_owner: boolean;
  realm_new_stream_announcements_stream_id: number;
  max_channel_folder_name_length: number;
  realm_can_set_topics_policy_group: GroupSetting;
  realm_can_set_delete_message_policy_group: GroupSetting;
  max_stream_name_length: number;
  max_stream_description_length: number;
  server_supported_permission_settings: { stream: Record<string, SupportedPermission> };
  user_settings: Record<string, unknown>;
  server_timestamp: number;
  max_message_length: number;
  max_topic_length: number;
  server_presence_offline_threshold_seconds: number;
  queue_id: string;
  is_guest: boolean;
  is_moderator: boolean;
  max_reminder_note_length: number;
  realm_allow_message_editing: boolean;
  realm_message_content_edit_limit_seconds: number | null;
  realm_message_content_delete_limit_seconds: number | null;
  realm_message_edit_history_visibility_policy: 'all' | 'moves' | 'none';
  realm_move_messages_within_stream_limit_seconds: number | null;
  realm_move_messages_between_streams_limit_seconds: number | null;
  realm_can_delete_any_message_group: GroupSetting;
  realm_can_delete_own_message_group: GroupSetting;
  realm_can_move_messages_between_channels_group: GroupSetting;
  realm_can_move_messages_between_topics_group: GroupSetting;
  realm_enable_read_receipts: boolean;
  realm_moderation_request_channel_id: number;
  server_report_message_types: { key: string; name: string }[];
  realm_user_groups: Group[];
  realm_emoji: Record<string, RealmEmoji>;
  drafts: StoredDraft[];
  saved_snippets: SavedSnippet[];
  scheduled_messages: ScheduledMessage[];
  reminders: Reminder[];
  never_subscribed: Channel[];
  unsubscribed: Channel[];
  max_file_upload_size_mib: number;
  realm_topics_policy: 'allow_empty_topic' | 'disable_empty_topic';
  realm_can_mention_many_users_group: GroupSetting;
  realm_can_add_subscribers_group: GroupSetting;
  realm_direct_message_permission_group: GroupSetting;
  realm_default_code_block_language: string;
  realm_enable_guest_user_dm_warning: boolean;
  realm_video_chat_provider: number;
  realm_available_video_chat_providers: Record<string, { id: number; name: string }>;
  realm_jitsi_server_url: string | null;
  server_jitsi_server_url: string | null;
  server_emoji_data_url: string;
  server_typing_started_wait_period_milliseconds: number;
  server_typing_stopped_wait_period_milliseconds: number;
  server_typing_started_expiry_period_milliseconds: number;
}

const AREAS = ['people', 'channels', 'unread', 'messages', 'presence', 'statuses', 'settings', 'writing'] as const;
export type Area = (typeof AREAS)[number];

const AREAS_OF: Readonly<Record<string, readonly Area[]>> = {
  message: ['messages', 'unread'],
  update_message: ['messages', 'unread'],
  delete_message: ['messages', 'unread'],
  update_message_flags: ['messages', 'unread'],
  reaction: ['messages'],
  submessage: ['messages'],
  presence: ['presence'],
  user_status: ['presence', 'statuses'],
  realm_user: ['people', 'messages'],
  realm_bot: ['people'],
  // Where a directory keeps them, groups change often. Rights that derive from them belong to the settings.
  user_group: ['people', 'settings'],
  attachment: ['settings'],
  stream: ['channels'],
  subscription: ['channels', 'unread'],
  channel_folder: ['channels'],
  user_topic: ['channels', 'unread'],
  drafts: ['writing'],
  saved_snippets: ['writing'],
  scheduled_messages: ['writing'],
  reminders: ['writing'],
};
/** Seldom: whatever they change is drawn anew. */
const ALL_AREAS: readonly Area[] = AREAS;

const versions = Object.fromEntries(AREAS.map((area) => [area, signal(0)])) as Record<string, Signal<number>> as Record<
  Area,
  Signal<number>
>;

/** Undefined until the client has registered. */
let state: State | undefined;
export const isReady = signal(false);
export const link = signal<Link>('connecting');
/** Counts registrations: what was fetched for an earlier one may be out of date. */
export const registration = signal(0);

type Listener = (event: PublicEvent) => void;
const listeners = new Set<Listener>();

/** Calls `listen` with each event, after it was applied. Returns how to stop. */
export function onEvent(listen: Listener): () => void {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

/** The state, for a component that is drawn anew when one of these parts changes. Only when isReady. */
export function read(...areas: readonly Area[]): ClientState {
  for (const area of areas) void versions[area].value;
  return state as unknown as ClientState;
}

/** Counts the changes of a part, for what is derived from it. */
export function versionOf(area: Area): number {
  return versions[area].value;
}

/** For changes that the client itself makes to the state. */
export function changed(...areas: readonly Area[]): void {
  for (const area of areas) versions[area].value += 1;
}

/** Takes what the queue tells. */
export function takeNews(news: LiveNews): void {
  if (news.kind === 'link') link.value = news.link;
  else if (news.kind === 'state') begin(news.state);
  else if (news.kind === 'registered') begin(stateOf(news.json));
  else if (state) takeEvents(state, news.events);
}

function begin(registered: State): void {
  // The messages that views fetch; the rules for events keep them up to date.
  state = { ...registered, messages: [] };
  registration.value += 1;
  isReady.value = true;
  changed(...ALL_AREAS);
}

function takeEvents(current: State, events: readonly PublicEvent[]): void {
  applyEvents(current, events.filter(isPartOfState), KIND);
  const areas = new Set(
    events.flatMap(({ type }) => AREAS_OF[type] ?? (isPartOfState({ type } as PublicEvent) ? ALL_AREAS : [])),
  );
  changed(...areas);
  for (const event of events) for (const listen of listeners) listen(event);
}

/** People by id, made once for each version of them. */
let people: { version: number; registration: number; byId: Map<number, Person> } | undefined;

export function person(userId: number): Person | undefined {
  const version = versions.people.value;
  if (people?.version !== version || people.registration !== registration.value) {
    const { realm_users, realm_non_active_users, cross_realm_bots } = state as unknown as ClientState;
    const all = [...cross_realm_bots, ...realm_non_active_users, ...realm_users];
    people = { version, registration: registration.value, byId: new Map(all.map((each) => [each.user_id, each])) };
  }
  return people.byId.get(userId);
}

export function personName(userId: number): string {
  return person(userId)?.full_name ?? '…';
}

/** Channels by id, made once for each version of them. */
let channels: { version: number; byId: Map<number, Channel> } | undefined;

export function channel(channelId: number): Channel | undefined {
  const version = versions.channels.value;
  if (channels?.version !== version) {
    const { subscriptions, streams } = state as unknown as ClientState;
    const all = [...(streams ?? []), ...subscriptions];
    channels = { version, byId: new Map(all.map((each) => [each.stream_id, each])) };
  }
  return channels.byId.get(channelId);
}

/** The channel as the user's own: its color, and whether it is muted or pinned. */
export function subscription(channelId: number): Subscription | undefined {
  const found = channel(channelId);
  return found && 'pin_to_top' in found ? (found as Subscription) : undefined;
}

export function channelName(channelId: number): string {
  return channel(channelId)?.name ?? '…';
}

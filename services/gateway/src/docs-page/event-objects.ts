import type { JsonSchema } from './describe-type';

/** An object in an event that also occurs in an operation's answer. */
export interface EventObject {
  /** `type`, or `type/op`. */
  event: string;
  /** The event's member with the object; absent: the event itself. */
  member?: string;
  /** The operation, and the member of its answer with these objects: a list of them, or objects by id. */
  operation: string;
  answered?: string;
  /** Instead of `answered`: the answer itself has the members, whose names begin with this prefix. */
  prefix?: string;
  /** The name of its component in the OpenAPI document. */
  component?: string;
}

/** Finds the schema that an operation's contract gives an object; an empty one if there is no such operation. */
export type ContractOf = (object: EventObject) => JsonSchema;

type Registered = [event: string, member: string | undefined, answered: string, component?: string];

const REGISTERED: Registered[] = [
  ['channel_folder/add', 'channel_folder', 'channel_folders', 'ChannelFolder'],
  ['channel_folder/update', 'data', 'channel_folders'],
  ['custom_profile_fields', 'fields', 'custom_profile_fields'],
  ['device/add', undefined, 'devices'],
  ['drafts/add', 'drafts', 'drafts', 'Draft'],
  ['drafts/update', 'draft', 'drafts', 'Draft'],
  ['navigation_view/add', 'navigation_view', 'navigation_views'],
  ['navigation_view/update', 'data', 'navigation_views'],
  ['realm_bot/add', 'bot', 'realm_bots', 'Bot'],
  ['realm_bot/update', 'bot', 'realm_bots'],
  ['realm_emoji/update', 'realm_emoji', 'realm_emoji'],
  ['realm_linkifiers', 'realm_linkifiers', 'realm_linkifiers'],
  ['realm_user/add', 'person', 'realm_users', 'User'],
  ['realm_user/update', 'person', 'realm_users'],
  ['reminders/add', 'reminders', 'reminders'],
  ['scheduled_messages/add', 'scheduled_messages', 'scheduled_messages', 'ScheduledMessage'],
  ['scheduled_messages/update', 'scheduled_message', 'scheduled_messages', 'ScheduledMessage'],
  ['stream/create', 'streams', 'streams', 'Channel'],
  ['subscription/add', 'subscriptions', 'subscriptions', 'Subscription'],
  ['user_group/add', 'group', 'realm_user_groups', 'UserGroup'],
  ['user_group/update', 'data', 'realm_user_groups'],
  ['user_status', undefined, 'user_status'],
  ['user_topic', undefined, 'user_topics'],
];

export const EVENT_OBJECTS: readonly EventObject[] = [
  ...REGISTERED.map(([event, member, answered, component]) => ({
    event,
    operation: 'POST /register',
    answered,
    ...(member !== undefined && { member }),
    ...(component !== undefined && { component }),
  })),
  { event: 'message', member: 'message', operation: 'GET /messages', answered: 'messages', component: 'Message' },
  { event: 'update_message', operation: 'GET /messages', answered: 'messages' },
  { event: 'realm/update_dict', member: 'data', operation: 'POST /register', prefix: 'realm_' },
  { event: 'realm_export', member: 'exports', operation: 'GET /export/realm', answered: 'exports' },
  ...['add', 'update'].map((op) => ({
    event: `attachment/${op}`,
    member: 'attachment',
    operation: 'GET /attachments',
    answered: 'attachments',
    component: 'Attachment',
  })),
];

import type { ChannelPermissionName } from '@parley/shared/access';
import type { Channel, NewChannelSettings, UpdateChannelRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { z } from 'zod';
import type { Context } from '../context';
import { endpoint, type Values } from '../http/endpoint';
import { boundedText, json, type Parameter, pathId, text } from '../http/parameters';
import { channelList, membersOf } from '../shared-state/lists-for-caller';
import {
  CHANNEL_PERMISSION_NAMES,
  channelSchema,
  type FirstMessageOf,
  firstMessagesOf,
  shownChannel,
  topicsPolicySchema,
} from '../wire/channels';
import {
  groupSettingChangeSchema,
  groupSettingSchema,
  type PublicGroupSetting,
  toGroupSetting,
  toGroupSettingChange,
} from '../wire/groups';

const flag = (isIncluded: boolean) => json(z.boolean().default(isIncluded));

export const listChannels = endpoint({
  method: 'GET',
  path: '/streams',
  summary: 'Get channels that the caller may know of, by name',
  auth: 'user',
  parameters: {
    include_public: flag(true),
    include_web_public: flag(false),
    include_subscribed: flag(true),
    exclude_archived: flag(true),
    include_all: flag(false),
    include_all_active: json(z.boolean().default(false).describe('Deprecated: include_all, for administrators.')),
    include_default: json(z.boolean().default(false).describe('Adds is_default.')),
    include_owner_subscribed: json(z.boolean().default(false).describe('For bots: the channels of their owners.')),
    include_can_access_content: flag(false),
  },
  result: z.strictObject({ streams: z.array(channelSchema.extend({ is_default: z.boolean().optional() })) }),
  errors: [],
  async handler({ services, sharedState }, { call }, values) {
    const serialized = await sharedState.channels(call, 'none');
    // Read last: a channel that was hidden from the caller meanwhile is omitted.
    const { channels } = await services.realm.listChannels(call, {
      includesPublic: values.include_public,
      includesWebPublic: values.include_web_public,
      includesSubscribed: values.include_subscribed,
      includesOwnerSubscribed: values.include_owner_subscribed,
      includesReadable: values.include_can_access_content,
      includesAll: values.include_all,
      includesAllForAdministrators: values.include_all_active,
      excludesArchived: values.exclude_archived,
    });
    const ids = channels.map(({ channelId }) => channelId);
    const [isDefault, isNoDefault] = [membersOf({ is_default: true }), membersOf({ is_default: false })];
    const own = new Map(channels.map((each) => [each.channelId, each.isDefault ? isDefault : isNoDefault]));
    const listed = { ids, ...(values.include_default && { own }) };
    return { streams: channelList(listed, serialized.channels, { includesArchived: !values.exclude_archived }) };
  },
});

export const getChannel = endpoint({
  method: 'GET',
  path: '/streams/{stream_id}',
  summary: 'Get a channel, archived or not',
  auth: 'user',
  parameters: { stream_id: pathId() },
  result: z.strictObject({ stream: channelSchema }),
  errors: [],
  async handler(ctx, { call }, { stream_id: channelId }) {
    const channel = await ctx.services.realm.getChannel(call, { channelId });
    return { stream: shownChannel(channel, await loadFirstMessages(ctx, call, [channel])) };
  },
});

export const findChannel = endpoint({
  method: 'GET',
  path: '/get_stream_id',
  summary: 'Get the id of the channel of a name, in any casing',
  auth: 'user',
  parameters: { stream: text(z.string()) },
  result: z.strictObject({ stream_id: z.int() }),
  errors: [],
  async handler({ services }, { call }, { stream: name }) {
    const { channelId } = await services.realm.findChannel(call, { name });
    return { stream_id: channelId };
  },
});

export const getChannelMembers = endpoint({
  method: 'GET',
  path: '/streams/{stream_id}/members',
  summary: 'Get the ids of the active users who are subscribed to a channel',
  auth: 'user',
  parameters: { stream_id: pathId() },
  result: z.strictObject({ subscribers: z.array(z.int()) }),
  errors: [],
  async handler({ services }, { call }, { stream_id: channelId }) {
    const { userIds } = await services.realm.getChannelMembers(call, { channelId });
    return { subscribers: userIds };
  },
});

export const getChannelEmailAddress = endpoint({
  method: 'GET',
  path: '/streams/{stream_id}/email_address',
  summary: 'Get the address to which mail for a channel may be sent',
  auth: 'user',
  parameters: {
    stream_id: pathId(),
    sender_id: json(
      z
        .int()
        .optional()
        .describe('In whose name mail is posted: the caller, or a bot of theirs. Absent: the notification bot.'),
    ),
  },
  result: z.strictObject({ email: z.string().describe('Empty: this server takes no mail.') }),
  errors: [],
  async handler({ services }, { call }, { stream_id: channelId, sender_id: senderId }) {
    return services.realm.getChannelEmailAddress(call, { channelId, ...(senderId !== undefined && { senderId }) });
  },
});

type Setting = PublicGroupSetting | undefined;

const newSettingParameters = Object.fromEntries(
  CHANNEL_PERMISSION_NAMES.map((name) => [name, json(groupSettingSchema.optional())]),
) as Record<ChannelPermissionName, Parameter<Setting, Setting>>;

/** Settings of new channels. */
export const newChannelParameters = {
  announce: json(
    z.boolean().default(false).describe('Tells of the new channels where the organization keeps its news.'),
  ),
  invite_only: json(z.boolean().default(false)),
  is_web_public: json(z.boolean().default(false)),
  is_default_stream: json(z.boolean().default(false)),
  history_public_to_subscribers: json(
    z.boolean().optional().describe('Absent: public channels share their history, private ones do not.'),
  ),
  message_retention_days: json(boundedText(40).optional().describe('A number of days, realm_default or unlimited.')),
  topics_policy: text(topicsPolicySchema.default('inherit')),
  folder_id: json(z.int().optional()),
  ...newSettingParameters,
};

export function newChannelSettings(values: Values<typeof newChannelParameters>): NewChannelSettings {
  const {
    history_public_to_subscribers: isHistoryPublic,
    message_retention_days: messageRetention,
    folder_id: folderId,
  } = values;
  const groupSettings = CHANNEL_PERMISSION_NAMES.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [[name, toGroupSetting(value)] as const];
  });
  return {
    isPrivate: values.invite_only,
    isWebPublic: values.is_web_public,
    isDefault: values.is_default_stream,
    isAnnounced: values.announce,
    topicsPolicy: values.topics_policy,
    groupSettings: Object.fromEntries(groupSettings),
    ...(isHistoryPublic !== undefined && { isHistoryPublic }),
    ...(messageRetention !== undefined && { messageRetention }),
    ...(folderId !== undefined && { folderId }),
  };
}

export const createChannel = endpoint({
  method: 'POST',
  path: '/channels/create',
  summary: 'Make a channel, and subscribe users to it',
  auth: 'user',
  parameters: {
    name: text(z.string()),
    description: text(z.string().default('')),
    subscribers: json(z.array(z.int()).describe('User ids; the caller is subscribed only if named.')),
    ...newChannelParameters,
    send_new_subscription_messages: json(
      z
        .boolean()
        .default(true)
        .describe('Without effect: nobody gets a message for being subscribed to a new channel.'),
    ),
  },
  result: z.strictObject({ id: z.int() }),
  errors: ['CHANNEL_ALREADY_EXISTS', 'UNAUTHORIZED_PRINCIPAL', 'SYSTEM_GROUP_REQUIRED'],
  async handler({ services }, { call }, values) {
    const { channelId } = await services.realm.createChannel(call, {
      name: values.name,
      description: values.description,
      subscriberIds: values.subscribers,
      settings: newChannelSettings(values),
    });
    return { id: channelId };
  },
});

const ADMINISTRATORS_MAY_POST = 2;
const EVERYONE_MAY_POST = 1;
/** Value that clears the folder. */
const NO_FOLDER = 0;

type Change = z.infer<typeof groupSettingChangeSchema> | undefined;

const settingChangeParameters = Object.fromEntries(
  CHANNEL_PERMISSION_NAMES.map((name) => [name, json(groupSettingChangeSchema.optional())]),
) as Record<ChannelPermissionName, Parameter<Change, Change>>;

const optionalFlag = json(z.boolean().optional());

const updateParameters = {
  stream_id: pathId(),
  description: text(z.string().optional()),
  new_name: text(z.string().optional()),
  is_private: optionalFlag,
  is_web_public: optionalFlag,
  history_public_to_subscribers: json(z.boolean().optional().describe('Absent: follows is_private, if that is given.')),
  is_default_stream: optionalFlag,
  message_retention_days: json(boundedText(40).optional().describe('A number of days, realm_default or unlimited.')),
  is_archived: optionalFlag,
  folder_id: json(z.int().nullable().optional().describe('null: in no folder.')),
  topics_policy: text(topicsPolicySchema.optional()),
  ...settingChangeParameters,
  stream_post_policy: json(z.int().optional().describe('Deprecated: can_send_message_group.')),
  is_announcement_only: json(z.boolean().optional().describe('Deprecated: can_send_message_group.')),
};

export const updateChannel = endpoint({
  method: 'PATCH',
  path: '/streams/{stream_id}',
  summary: 'Change a channel, archive it or bring it back',
  auth: 'user',
  parameters: updateParameters,
  result: z.strictObject({}),
  errors: [
    'CANNOT_ADMINISTER_CHANNEL',
    'CANNOT_MANAGE_DEFAULT_CHANNEL',
    'CANNOT_SET_TOPICS_POLICY',
    'CHANNEL_ALREADY_EXISTS',
    'EXPECTATION_MISMATCH',
    'SYSTEM_GROUP_REQUIRED',
    'UNAUTHORIZED_PRINCIPAL',
  ],
  async handler(ctx, { call }, values) {
    const hasNamedTopics = values.topics_policy === 'empty_topic_only' && (await areTopicsNamed(ctx, call, values));
    await ctx.services.realm.updateChannel(call, updateRequest(values, hasNamedTopics));
    return {};
  },
});

/** Not checked here: realm, which gets the answer, decides whether the caller may see the channel. */
async function areTopicsNamed(
  { services }: Context,
  call: Caller,
  { stream_id: channelId }: Values<typeof updateParameters>,
): Promise<boolean> {
  const { activities } = await services.messages.getChannelActivity(call, { channelIds: [channelId] });
  return activities.some((activity) => activity.hasNamedTopics);
}

function updateRequest(values: Values<typeof updateParameters>, hasNamedTopics: boolean): UpdateChannelRequest {
  const changes = CHANNEL_PERMISSION_NAMES.flatMap((name) => {
    const change = values[name];
    return change === undefined ? [] : [[name, toGroupSettingChange(change)]];
  });
  const postPolicy = values.stream_post_policy ?? postPolicyOf(values.is_announcement_only);
  const { folder_id: folderId } = values;
  return {
    channelId: values.stream_id,
    ...(values.description !== undefined && { description: values.description }),
    ...(values.new_name !== undefined && { newName: values.new_name }),
    ...(values.is_private !== undefined && { isPrivate: values.is_private }),
    ...(values.is_web_public !== undefined && { isWebPublic: values.is_web_public }),
    ...(values.history_public_to_subscribers !== undefined && {
      isHistoryPublic: values.history_public_to_subscribers,
    }),
    ...(values.is_default_stream !== undefined && { isDefault: values.is_default_stream }),
    ...(values.message_retention_days !== undefined && { messageRetention: values.message_retention_days }),
    ...(values.is_archived !== undefined && { isArchived: values.is_archived }),
    ...(folderId !== undefined && { folderId: folderId ?? NO_FOLDER }),
    ...(values.topics_policy !== undefined && { topicsPolicy: values.topics_policy }),
    ...(postPolicy !== undefined && { postPolicy }),
    groupSettings: Object.fromEntries(changes),
    hasNamedTopics,
  };
}

function postPolicyOf(isAnnouncementOnly: boolean | undefined): number | undefined {
  if (isAnnouncementOnly === undefined) return undefined;
  return isAnnouncementOnly ? ADMINISTRATORS_MAY_POST : EVERYONE_MAY_POST;
}

export const archiveChannel = endpoint({
  method: 'DELETE',
  path: '/streams/{stream_id}',
  summary: 'Archive a channel',
  auth: 'user',
  parameters: { stream_id: pathId() },
  result: z.strictObject({}),
  errors: ['CANNOT_ADMINISTER_CHANNEL'],
  async handler({ services }, { call }, { stream_id: channelId }) {
    await services.realm.archiveChannel(call, { channelId });
    return {};
  },
});

/** Loads the first messages of the channels of an answer. */
export async function loadFirstMessages(
  { services }: Context,
  call: Caller,
  channels: readonly Channel[],
): Promise<FirstMessageOf> {
  if (channels.length === 0) return firstMessagesOf([]);
  const channelIds = channels.map(({ id }) => id);
  const { activities } = await services.messages.getChannelActivity(call, { channelIds, onlyFirstMessages: true });
  return firstMessagesOf(activities);
}

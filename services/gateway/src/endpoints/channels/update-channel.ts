import type { ChannelPermissionName } from '@parley/shared/access';
import type { UpdateChannelRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { z } from 'zod';
import type { Context } from '../../context';
import { endpoint, type Values } from '../../http/endpoint';
import { boundedText, json, type Parameter, pathId, text } from '../../http/parameters';
import { CHANNEL_PERMISSION_NAMES, topicsPolicySchema } from '../../wire/channel';
import { groupSettingChangeSchema, toGroupSettingChange } from '../../wire/group-setting';

const ADMINISTRATORS_MAY_POST = 2;
const EVERYONE_MAY_POST = 1;
/** Where a folder's id might stand. */
const NO_FOLDER = 0;

type Change = z.infer<typeof groupSettingChangeSchema> | undefined;

const settings = Object.fromEntries(
  CHANNEL_PERMISSION_NAMES.map((name) => [name, json(groupSettingChangeSchema.optional())]),
) as Record<ChannelPermissionName, Parameter<Change, Change>>;

const flag = json(z.boolean().optional());

const parameters = {
  stream_id: pathId(),
  description: text(z.string().optional()),
  new_name: text(z.string().optional()),
  is_private: flag,
  is_web_public: flag,
  history_public_to_subscribers: json(z.boolean().optional().describe('Absent: follows is_private, if that is given.')),
  is_default_stream: flag,
  message_retention_days: json(boundedText(40).optional().describe('A number of days, realm_default or unlimited.')),
  is_archived: flag,
  folder_id: json(z.int().nullable().optional().describe('null: in no folder.')),
  topics_policy: text(topicsPolicySchema.optional()),
  ...settings,
  stream_post_policy: json(z.int().optional().describe('Deprecated: can_send_message_group.')),
  is_announcement_only: json(z.boolean().optional().describe('Deprecated: can_send_message_group.')),
};

export const updateChannel = endpoint({
  method: 'PATCH',
  path: '/streams/{stream_id}',
  summary: 'Change a channel, archive it or bring it back',
  auth: 'user',
  parameters,
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
    await ctx.services.realm.updateChannel(call, toRequest(values, hasNamedTopics));
    return {};
  },
});

/** Whether the caller may know this is decided by realm, which is told. */
async function areTopicsNamed(
  { services }: Context,
  call: Caller,
  { stream_id: channelId }: Values<typeof parameters>,
): Promise<boolean> {
  const { activities } = await services.messages.getChannelActivity(call, { channelIds: [channelId] });
  return activities.some((activity) => activity.hasNamedTopics);
}

function toRequest(values: Values<typeof parameters>, hasNamedTopics: boolean): UpdateChannelRequest {
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

import { CHANNEL_PERMISSION_SETTINGS, type ChannelPermissionName } from '@parley/shared/access';
import type { NewChannelSettings } from '@parley/shared/proto';
import { z } from 'zod';
import type { Values } from '../../http/endpoint';
import { boundedText, json, type Parameter, text } from '../../http/parameters';
import { topicsPolicySchema } from '../../wire/channel';
import { groupSettingSchema, type PublicGroupSetting, toGroupSetting } from '../../wire/group-setting';

const SETTING_NAMES = Object.keys(CHANNEL_PERMISSION_SETTINGS) as ChannelPermissionName[];

type Setting = PublicGroupSetting | undefined;

const settings = Object.fromEntries(SETTING_NAMES.map((name) => [name, json(groupSettingSchema.optional())])) as Record<
  ChannelPermissionName,
  Parameter<Setting, Setting>
>;

/** What a request may say of the channels that it makes. */
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
  ...settings,
};

export function newChannelSettings(values: Values<typeof newChannelParameters>): NewChannelSettings {
  const {
    history_public_to_subscribers: isHistoryPublic,
    message_retention_days: messageRetention,
    folder_id: folderId,
  } = values;
  const groupSettings = SETTING_NAMES.flatMap((name) => {
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

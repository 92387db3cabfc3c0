import { CHANNEL_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { Sql } from '@parley/shared/db';
import type { ChannelChange } from '@parley/shared/events';
import type { GroupSettingChange, UpdateChannelRequest } from '@parley/shared/proto';
import { changeGroupSettings } from '../group-settings/change-group-settings';
import type { SystemGroupIds } from '../group-settings/complete-settings';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { SEND_SETTING } from '../group-settings/setting-place';
import type { SeenChannel } from './access-channel';
import type { ChannelMaker } from './channel-maker';
import {
  type ChannelGroupSettings,
  refuseTopicRightOnProtectedHistory,
  requireRightToGiveDeletion,
} from './check-channel-settings';
import { type ChannelKind, CONTENT_SETTINGS, hasContentAccess } from './permissions';
import { contentAccessRequired } from './plan-privacy';
import { groupOfPostPolicy, postPolicyOf } from './post-policy';

/** The group settings that a request makes different, for a channel that is to be of that kind. */
export async function planGroupSettings(
  sql: Sql,
  request: UpdateChannelRequest,
  kind: ChannelKind,
  { channel, viewer, maker }: SeenChannel & { maker: ChannelMaker },
): Promise<ChannelChange> {
  const { realmId } = maker.actor.user;
  const systemGroupIds = await findSystemGroupIds(sql, realmId);
  const present = channel.groupSettings as ChannelGroupSettings;
  const wanted = { ...postPolicyChange(request, systemGroupIds), ...request.groupSettings };
  const changed = await changeGroupSettings(sql, realmId, CHANNEL_PERMISSION_SETTINGS, present, wanted);

  const isAboutContent = CONTENT_SETTINGS.some((name) => changed[name] !== undefined);
  if (isAboutContent && !hasContentAccess(channel, viewer)) throw contentAccessRequired();
  requireRightToGiveDeletion(changed, maker, systemGroupIds);
  const isProtectedNow = channel.isHistoryPublic && !kind.isHistoryPublic;
  if (isProtectedNow || changed.can_create_topic_group !== undefined) {
    refuseTopicRightOnProtectedHistory(kind, { ...present, ...changed }, systemGroupIds);
  }
  if (Object.keys(changed).length === 0) return {};
  const sendGroup = changed[SEND_SETTING];
  const policy = sendGroup === undefined ? {} : { postPolicy: postPolicyOf(sendGroup, systemGroupIds) };
  return { groupSettings: changed as Record<string, never>, ...policy };
}

function postPolicyChange(
  { postPolicy }: UpdateChannelRequest,
  systemGroupIds: SystemGroupIds,
): Record<string, GroupSettingChange> {
  if (postPolicy === undefined) return {};
  return { [SEND_SETTING]: { new: groupOfPostPolicy(postPolicy, systemGroupIds), old: null } };
}

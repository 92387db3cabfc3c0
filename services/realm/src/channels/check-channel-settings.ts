import type { ChannelPermissionName } from '@parley/shared/access';
import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import type { Channel, GroupSetting } from '@parley/shared/proto';
import type { GroupSettings, SystemGroupIds } from '../group-settings/complete-settings';
import { type ChannelMaker, mayInOrganization } from './channel-maker';

export type ChannelGroupSettings = GroupSettings<ChannelPermissionName>;

const DELETE_SETTINGS = [
  'can_delete_any_message_group',
  'can_delete_own_message_group',
] as const satisfies readonly ChannelPermissionName[];

/** Refuses who gives away a right to delete messages, unless the organization lets them decide on it. */
export function requireRightToGiveDeletion(
  values: Partial<ChannelGroupSettings>,
  maker: ChannelMaker,
  systemGroupIds: SystemGroupIds,
): void {
  const isGiven = ({ groupId }: GroupSetting) => groupId !== systemGroupIds['role:nobody'];
  const isAnyGiven = DELETE_SETTINGS.some((name) => values[name] !== undefined && isGiven(values[name]));
  if (isAnyGiven && !mayInOrganization(maker, 'can_set_delete_message_policy_group')) {
    throw new InsufficientPermissionError();
  }
}

/** Where history is protected, nobody can know which topics are new: everyone may begin some. */
export function refuseTopicRightOnProtectedHistory(
  { isPrivate, isHistoryPublic }: Pick<Channel, 'isPrivate' | 'isHistoryPublic'>,
  { can_create_topic_group: value }: Partial<ChannelGroupSettings>,
  systemGroupIds: SystemGroupIds,
): void {
  const isProtected = isPrivate && !isHistoryPublic;
  if (!isProtected || value === undefined || value.groupId === systemGroupIds['role:everyone']) return;
  throw new BadRequestError('Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group');
}

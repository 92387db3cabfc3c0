import { CHANNEL_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { Channel, GroupSetting } from '@parley/shared/proto';
import { completeSettings, type SystemGroupIds } from '../group-settings/complete-settings';
import { postPolicyOf } from './channel-input';

/** The shape of CHANNEL_JSON. */
export interface StoredChannel extends Omit<Channel, 'groupSettings' | 'postPolicy'> {
  /** Explicit settings; others have their default. */
  storedSettings: Record<string, GroupSetting>;
  /** Whether the creator is active. */
  isCreatorActive: boolean;
}

/** The channel with every setting. */
export function completeChannel(stored: StoredChannel, systemGroupIds: SystemGroupIds): Channel {
  const { storedSettings, isCreatorActive, ...channel } = stored;
  const creatorId = isCreatorActive ? (channel.creatorId ?? null) : null;
  const groupSettings = completeSettings(CHANNEL_PERMISSION_SETTINGS, storedSettings, { creatorId, systemGroupIds });
  return { ...channel, groupSettings, postPolicy: postPolicyOf(groupSettings.can_send_message_group, systemGroupIds) };
}

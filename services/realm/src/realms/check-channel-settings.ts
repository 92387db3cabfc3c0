import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { NO_CHANNEL, REALM_SETTING_NAMES, REALM_SETTINGS, type RealmSettings } from '@parley/shared/values';
import { holdChannel } from '../default-channels/hold-channel';

/**
 * Refuses settings that name channels which are not there, or are no longer in use. Those named are held until the transaction
 * ends. Whoever may change settings administers the organization, and knows of every channel.
 */
export async function checkChannelSettings(
  tx: Transaction,
  realmId: number,
  settings: Partial<RealmSettings>,
): Promise<void> {
  for (const name of REALM_SETTING_NAMES.filter((candidate) => REALM_SETTINGS[candidate].isChannel)) {
    const channelId = settings[name];
    if (channelId === undefined || channelId === NO_CHANNEL) continue;
    const { isArchived, isPrivate } = await holdChannel(tx, realmId, Number(channelId));
    if (isArchived) throw new BadRequestError('Invalid channel ID');
    if (name === 'moderation_request_channel_id' && !isPrivate) {
      throw new BadRequestError('Moderation request channel must be private.');
    }
  }
}

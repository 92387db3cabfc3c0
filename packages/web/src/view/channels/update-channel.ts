import { call } from '../../api/call';
import { channelTexts } from '../../texts/channel-texts';
import { attempt, say } from '../base/notices';

/** Changes a channel, and says that it is saved, or why not. */
export async function updateChannel(channelId: number, changes: Record<string, unknown>): Promise<void> {
  if (await attempt(() => call('PATCH', `/streams/${channelId}`, changes))) say(channelTexts.value.saved);
}

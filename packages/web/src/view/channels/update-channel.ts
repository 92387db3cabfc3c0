import { call } from '../../api/call';
import { channelTexts } from '../../texts/channel-texts';
import { attempt, say } from '../base/notices';

/** Changes a channel, and says that it is saved, or why not; resolves to false then. */
export async function updateChannel(channelId: number, changes: Record<string, unknown>): Promise<boolean> {
  const isDone = (await attempt(() => call('PATCH', `/streams/${channelId}`, changes))) !== undefined;
  if (isDone) say(channelTexts.value.saved);
  return isDone;
}

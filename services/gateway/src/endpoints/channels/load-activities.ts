import type { Channel } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../../context';
import { type ActivityOf, activitiesOf } from '../../wire/channel-activities';

/** What has happened in the channels of an answer, to be shown with them. */
export async function loadActivities(
  { services, clock }: Context,
  call: Caller,
  channels: readonly Channel[],
): Promise<ActivityOf> {
  if (channels.length === 0) return activitiesOf([], clock.now());
  const channelIds = channels.map(({ id }) => id);
  const { activities } = await services.messages.getChannelActivity(call, { channelIds });
  return activitiesOf(activities, clock.now());
}

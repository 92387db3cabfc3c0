import type { Audience } from '@parley/shared/events';
import type { Caller } from '@parley/shared/rpc';
import { MAX_TYPING_AUDIENCE } from '@parley/shared/values';
import type { Context } from '../context';

type Reached = Exclude<Audience, { to: 'realm' }>;

/** Those of an audience who want to be told that somebody is typing; null where they are too many for anybody to be told. */
export async function typingAudience(
  { services }: Context,
  caller: Caller,
  audience: Reached,
): Promise<Audience | null> {
  if (audience.to === 'users') {
    const userIds = [...audience.userIds];
    const { unwillingIds } = await services.realm.getTypingAudience(caller, { userIds });
    return { to: 'users', userIds: userIds.filter((id) => !unwillingIds.includes(id)) };
  }
  const { channelId, alsoIds = [], exceptIds = [] } = audience;
  const asked = { channelId, userIds: [...alsoIds] };
  const { subscriberCount, unwillingIds } = await services.realm.getTypingAudience(caller, asked);
  if (subscriberCount > MAX_TYPING_AUDIENCE) return null;
  // Who has left the channel has the message, but not the conversation.
  return { ...audience, heldAt: [], exceptIds: [...exceptIds, ...unwillingIds] };
}

import { BadRequestError } from '@parley/shared/errors';
import type { ChangeOwnSubscriptionsRequest, ChangeOwnSubscriptionsResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { lockChannels } from '../channels/channels.sql';
import type { Context } from '../context';
import { nameKey } from '../name-key';
import { possibleTexts } from '../possible-values';
import { joinChannels } from './join-channels';
import { leaveChannels } from './leave-channels';
import { holdPrincipals } from './principals';
import { withFreshNames } from './subscribe';

const THE_CALLER = { principalIds: [], principalEmails: [] };
const NO_CHANGE = {
  subscribed: { subscribed: [], alreadySubscribed: [], unauthorized: [], areNoticesSent: true },
  unsubscribed: { removed: [], notRemoved: [] },
};

/** Subscribes the caller to channels, then unsubscribes them from others. All of it happens, or nothing. */
export async function changeOwnSubscriptions(
  ctx: Context,
  caller: Caller,
  { added, removedNames }: ChangeOwnSubscriptionsRequest,
): Promise<ChangeOwnSubscriptionsResponse> {
  if (added.length + removedNames.length === 0) {
    throw new BadRequestError('Nothing to do. Specify at least one of "add" or "delete".');
  }
  const joining = {
    ...THE_CALLER,
    channels: added,
    areAuthorizationErrorsFatal: true,
    newChannel: null,
    sendsNotices: true,
  };
  const leaving = { ...THE_CALLER, channelNames: removedNames };
  return withFreshNames(ctx, caller, async (tx, actor) => {
    // All at once: those who change the same channels the other way round wait for one another, not for ever.
    await holdPrincipals(tx, actor.user, THE_CALLER);
    const names = [...added.map(({ name }) => name), ...removedNames].map((name) => nameKey(name.trim()));
    await lockChannels(tx, caller.realmId, possibleTexts(names));
    return {
      subscribed: added.length > 0 ? await joinChannels(ctx, tx, actor, joining) : NO_CHANGE.subscribed,
      unsubscribed: removedNames.length > 0 ? await leaveChannels(ctx, tx, actor, leaving) : NO_CHANGE.unsubscribed,
    };
  });
}

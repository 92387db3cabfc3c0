import type { QueueNarrowTerm } from '@parley/shared/proto';
import type { Context } from '../../context';
import type { UserRequest } from '../../http/endpoint';

/** Which messages a queue is for. */
interface QueueScope {
  narrow: QueueNarrowTerm[];
  allPublicChannels: boolean;
}

/** What was asked for (`allPublicChannels` undefined: it was not); where nothing was, bots have what their owners have set. */
export async function queueScope(
  { services }: Context,
  { call, isBot }: Pick<UserRequest, 'call' | 'isBot'>,
  { narrow, allPublicChannels }: { narrow: QueueNarrowTerm[]; allPublicChannels: boolean | undefined },
): Promise<QueueScope> {
  const isSettled = narrow.length > 0 && allPublicChannels !== undefined;
  if (!isBot || isSettled) return { narrow, allPublicChannels: allPublicChannels ?? false };
  const { eventsChannel, hearsAllPublicChannels } = await services.realm.getOwnBotDefaults(call, {});
  const ownNarrow = eventsChannel === undefined ? [] : [{ operator: 'channel', operand: eventsChannel }];
  return {
    narrow: narrow.length > 0 ? narrow : ownNarrow,
    allPublicChannels: allPublicChannels ?? hearsAllPublicChannels,
  };
}

import type { Implementation } from '@parley/shared/rpc';
import { listChannelKinds } from '../channel-access/get-channel';
import { listOutsideReaders } from '../channel-access/list-outside-readers';
import type { Context } from '../context';
import { getSubscribers } from '../joining/subscribe';

/** The audiences of events about messages. */
export function audienceMethods(
  ctx: Context,
): Pick<Implementation<'realm'>, 'getSubscribers' | 'listChannelKinds' | 'listOutsideReaders'> {
  return {
    getSubscribers: (_call, request) => getSubscribers(ctx, request),
    listChannelKinds: (_call, request) => listChannelKinds(ctx, request),
    listOutsideReaders: (_call, request) => listOutsideReaders(ctx, request),
  };
}

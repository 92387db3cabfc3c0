import type { Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listAgedChannels, setQuietChannels } from '../facts/quiet-channels';

type Methods = 'listAgedChannels' | 'setQuietChannels';

/** Channels without recent messages. */
export function quietChannelMethods(ctx: Context): Pick<Implementation<'realm'>, Methods> {
  return {
    listAgedChannels: (_call, request) => listAgedChannels(ctx, request),
    setQuietChannels: (_call, request) => setQuietChannels(ctx, request),
  };
}

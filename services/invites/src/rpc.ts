import type { Implementation } from '@parley/shared/rpc';
import type { Context } from './context';

/** Every method of proto/invites.proto and its action. */
export function implementation(_ctx: Context): Implementation<'invites'> {
  return {};
}

import type { Implementation } from '@parley/shared/rpc';
import type { Context } from './context';

/** Every method of proto/scheduler.proto and its action. */
export function implementation(_ctx: Context): Implementation<'scheduler'> {
  return {};
}

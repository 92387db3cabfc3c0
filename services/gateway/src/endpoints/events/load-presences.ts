import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../../context';
import { publicPresenceState, wantedPresences } from '../../wire/register-state/presence-bundle';

/** What POST /register tells of who is there; nothing where it was not asked for. */
export async function loadPresences(
  { services }: Context,
  call: Caller,
  isWanted: (type: string) => boolean,
  { capabilities, historyLimitDays }: { capabilities: readonly string[]; historyLimitDays: number | undefined },
) {
  const isSlim = capabilities.includes('slim_presence') || capabilities.includes('simplified_presence_events');
  const wanted = wantedPresences(isWanted, { isSlim, historyLimitDays });
  return wanted && publicPresenceState(await services.realm.listPresences(call, wanted), { isSlim });
}

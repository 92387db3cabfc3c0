import { byCaller, type Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { getTypingAudience } from '../facts/get-typing-audience';
import { getPresence, joinReports, listPresences, reportPresence } from '../presence/presence';

type Methods = 'reportPresence' | 'listPresences' | 'getPresence' | 'getTypingAudience';

/** Presence, and the audience of typing notifications. */
export function presenceMethods(ctx: Context): Pick<Implementation<'realm'>, Methods> {
  const storeReport = joinReports(ctx);
  return {
    reportPresence: byCaller((caller, request) => reportPresence(ctx, caller, request, storeReport)),
    listPresences: byCaller((caller, request) => listPresences(ctx, caller, request)),
    getPresence: byCaller((caller, request) => getPresence(ctx, caller, request)),
    getTypingAudience: byCaller((caller, request) => getTypingAudience(ctx, caller, request)),
  };
}

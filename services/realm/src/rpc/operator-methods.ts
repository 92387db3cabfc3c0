import { readOutboxLag } from '@parley/shared/bus';
import type { Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { addApiKey } from '../operator/add-api-key';
import { getOperated } from '../operator/get-operated';
import { listRealms } from '../operator/list-realms';
import { reactivateRealm } from '../operator/reactivate-realm';
import { resetPassword } from '../operator/reset-password';
import { scheduleRealmPurge } from '../operator/schedule-realm-purge';

type Methods =
  | 'getOperated'
  | 'listRealms'
  | 'getOutboxLag'
  | 'reactivateRealm'
  | 'scheduleRealmPurge'
  | 'addApiKey'
  | 'resetPassword';

/** What only the operator's command asks. */
export function operatorMethods(ctx: Context): Pick<Implementation<'realm'>, Methods> {
  return {
    getOperated: (_call, request) => getOperated(ctx, request),
    listRealms: () => listRealms(ctx),
    getOutboxLag: () => readOutboxLag(ctx.db),
    reactivateRealm: (_call, request) => reactivateRealm(ctx, request),
    scheduleRealmPurge: (_call, request) => scheduleRealmPurge(ctx, request),
    addApiKey: (_call, request) => addApiKey(ctx, request),
    resetPassword: (_call, request) => resetPassword(ctx, request),
  };
}

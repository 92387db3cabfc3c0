import { readOutboxLag, refillLog } from '@parley/shared/bus';
import { listUndeliveredMails } from '@parley/shared/mail';
import type { Implementation } from '@parley/shared/rpc';
import { abandonImport, beginImport, exportRealm, finishImport } from '../archive/archive';
import type { Context } from '../context';
import { eraseUser } from '../operator/erase-user';
import { addApiKey, getOperated, resetPassword } from '../operator/operated-accounts';
import { listRealms, reactivateRealm, renameRealm, scheduleRealmPurge } from '../operator/operated-realms';
import { announceNotice, sendTestMail } from '../operator/operator-notices';

type Methods =
  | 'getOperated'
  | 'listRealms'
  | 'getOutboxLag'
  | 'refillLog'
  | 'reactivateRealm'
  | 'exportRealm'
  | 'beginImport'
  | 'finishImport'
  | 'abandonImport'
  | 'scheduleRealmPurge'
  | 'eraseUser'
  | 'renameRealm'
  | 'announceNotice'
  | 'sendTestMail'
  | 'addApiKey'
  | 'resetPassword'
  | 'listUndeliveredMails';

/** Methods for the operator's command only. */
export function operatorMethods(ctx: Context): Pick<Implementation<'realm'>, Methods> {
  return {
    getOperated: (_call, request) => getOperated(ctx, request),
    listRealms: () => listRealms(ctx),
    getOutboxLag: () => readOutboxLag(ctx.db),
    refillLog: ({ requestId }, request) => refillLog(ctx.db, { service: 'realm', requestId }, request),
    reactivateRealm: (_call, request) => reactivateRealm(ctx, request),
    scheduleRealmPurge: (_call, request) => scheduleRealmPurge(ctx, request),
    exportRealm: (_call, request) => exportRealm(ctx, request),
    beginImport: (_call, request) => beginImport(ctx, request),
    finishImport: ({ requestId }, request) => finishImport(ctx, requestId, request),
    abandonImport: (_call, request) => abandonImport(ctx, request),
    eraseUser: ({ requestId }, request) => eraseUser(ctx, requestId, request),
    renameRealm: (_call, request) => renameRealm(ctx, request),
    announceNotice: (_call, request) => announceNotice(ctx, request),
    sendTestMail: (_call, request) => sendTestMail(ctx, request),
    addApiKey: (_call, request) => addApiKey(ctx, request),
    resetPassword: (_call, request) => resetPassword(ctx, request),
    listUndeliveredMails: () => listUndeliveredMails(ctx.db),
  };
}

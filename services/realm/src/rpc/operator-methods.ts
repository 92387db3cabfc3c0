import { readOutboxLag, refillLog } from '@parley/shared/bus';
import { listUndeliveredMails } from '@parley/shared/mail';
import type { Implementation } from '@parley/shared/rpc';
import { abandonImport, beginImport, exportRealm, finishImport } from '../archive/archive';
import type { Context } from '../context';
import { fillRealm } from '../fill/fill-realm';
import { getFillFacts } from '../fill/get-fill-facts';
import { eraseUser } from '../operator/erase-user';
import { addApiKey, getOperated, resetPassword } from '../operator/operated-accounts';
import { listRealms, reactivateRealm, renameRealm, scheduleRealmPurge } from '../operator/operated-realms';
import { announceNotice, sendTestMail } from '../operator/operator-notices';
import { createRealm } from '../realms/create-realm';
import { createUser } from '../users/create-user';
import { createUsers } from '../users/create-users';
import { permitUser } from '../users/update-user';

/** Methods for the operator's command only. */
export function operatorMethods(ctx: Context) {
  return {
    createRealm: (_call, request) => createRealm(ctx, request),
    createUser: (_call, request) => createUser(ctx, request),
    createUsers: (_call, request) => createUsers(ctx, request),
    permitUser: (_call, request) => permitUser(ctx, request),
    fillRealm: (_call, request) => fillRealm(ctx, request),
    getFillFacts: (_call, request) => getFillFacts(ctx, request),
    getOperated: (_call, request) => getOperated(ctx, request),
    listRealms: () => listRealms(ctx),
    getOutboxLag: () => readOutboxLag(ctx.db),
    refillLog: ({ requestId }, request) => refillLog(ctx.db, { service: 'realm', requestId }, request),
    reactivateRealm: (_call, request) => reactivateRealm(ctx, request),
    exportRealm: (_call, request) => exportRealm(ctx, request),
    beginImport: (_call, request) => beginImport(ctx, request),
    finishImport: ({ requestId }, request) => finishImport(ctx, requestId, request),
    abandonImport: (_call, request) => abandonImport(ctx, request),
    scheduleRealmPurge: (_call, request) => scheduleRealmPurge(ctx, request),
    eraseUser: ({ requestId }, request) => eraseUser(ctx, requestId, request),
    renameRealm: (_call, request) => renameRealm(ctx, request),
    announceNotice: (_call, request) => announceNotice(ctx, request),
    sendTestMail: (_call, request) => sendTestMail(ctx, request),
    addApiKey: (_call, request) => addApiKey(ctx, request),
    resetPassword: (_call, request) => resetPassword(ctx, request),
    listUndeliveredMails: () => listUndeliveredMails(ctx.db),
  } satisfies Partial<Implementation<'realm'>>;
}

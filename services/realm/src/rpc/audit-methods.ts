import { byCaller, type Implementation } from '@parley/shared/rpc';
import { listAuditEntries, listAuditLogs, verifyAuditLog } from '../audit/audit-log';
import { recordAct } from '../audit/record-acts';
import type { Context } from '../context';

type Methods = 'listAuditEntries' | 'listAuditLogs' | 'verifyAuditLog' | 'recordAct';

/** The audit log. */
export function auditMethods(ctx: Context): Pick<Implementation<'realm'>, Methods> {
  return {
    listAuditEntries: (_call, request) => listAuditEntries(ctx, request),
    listAuditLogs: () => listAuditLogs(ctx),
    verifyAuditLog: (_call, request) => verifyAuditLog(ctx, request),
    recordAct: byCaller((caller, request) => recordAct(ctx, caller, request)),
  };
}

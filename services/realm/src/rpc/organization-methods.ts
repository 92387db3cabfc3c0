import { byCaller, type Implementation } from '@parley/shared/rpc';
import { listAuditEntries, listAuditLogs, verifyAuditLog } from '../audit/audit-log';
import { recordAct } from '../audit/record-acts';
import type { Context } from '../context';
import { getRealm } from '../organization/change-organization';
import { deactivateRealm } from '../organization/deactivate-realm';
import { getOrganizationImage, removeOrganizationImage, setOrganizationImage } from '../realms/realm-images';
import { updateRealm } from '../realms/update-realm';
import { noteRelease } from '../retention/note-release';
import { listRealmsToPurge, listRetention, purgeRealm } from '../retention/retention';
import { updateUserSettingsDefaults } from '../user-settings/update-user-settings-defaults';

/** The organization, its retention rules and its audit log. */
export function organizationMethods(ctx: Context) {
  return {
    getRealm: (_call, request) => getRealm(ctx, request),
    updateRealm: byCaller((caller, request) => updateRealm(ctx, caller, request)),
    deactivateRealm: byCaller((caller, request) => deactivateRealm(ctx, caller, request)),
    updateUserSettingsDefaults: byCaller((caller, request) => updateUserSettingsDefaults(ctx, caller, request)),
    setOrganizationImage: byCaller((caller, request) => setOrganizationImage(ctx, caller, request)),
    removeOrganizationImage: byCaller((caller, request) => removeOrganizationImage(ctx, caller, request)),
    getOrganizationImage: (_call, request) => getOrganizationImage(ctx, request),
    listRetention: (_call, request) => listRetention(ctx, request),
    listRealmsToPurge: () => listRealmsToPurge(ctx),
    purgeRealm: (_call, request) => purgeRealm(ctx, request),
    noteRelease: (_call, request) => noteRelease(ctx, request),
    listAuditEntries: (_call, request) => listAuditEntries(ctx, request),
    listAuditLogs: () => listAuditLogs(ctx),
    verifyAuditLog: (_call, request) => verifyAuditLog(ctx, request),
    recordAct: byCaller((caller, request) => recordAct(ctx, caller, request)),
  } satisfies Partial<Implementation<'realm'>>;
}

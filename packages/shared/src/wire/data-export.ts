import type { DataExport } from '../proto';

/** Where in addresses archives are, before their paths. */
export const DATA_EXPORT_PREFIX = '/user_uploads/export/';

/** An archive of the organization as administrators are told of it. */
export function publicDataExport({ path, ...each }: DataExport) {
  return {
    id: each.id,
    acting_user_id: each.actingUserId,
    export_time: each.createdAtMs / 1_000,
    deleted_timestamp: secondsOf(each.deletedAtMs),
    failed_timestamp: secondsOf(each.failedAtMs),
    export_url: path === undefined ? null : DATA_EXPORT_PREFIX + path,
    pending: each.isPending,
    export_type: each.kind === 'public' ? 1 : 2,
  };
}

function secondsOf(instantMs: number | undefined): number | null {
  return instantMs === undefined ? null : instantMs / 1_000;
}

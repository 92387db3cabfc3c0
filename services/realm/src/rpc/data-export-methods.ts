import { byCaller, type Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import {
  claimDataExport,
  createDataExport,
  deleteDataExport,
  failDataExport,
  finishDataExport,
  forgetDataExports,
  getDataExport,
  listDataExports,
  listDoomedDataExports,
  listExportConsents,
  renewDataExport,
} from '../data-exports/data-exports';

/** Exports: ordered by administrators, created by the gateway. */
export function dataExportMethods(ctx: Context) {
  return {
    createDataExport: byCaller((caller, request) => createDataExport(ctx, caller, request)),
    deleteDataExport: byCaller((caller, request) => deleteDataExport(ctx, caller, request)),
    listDataExports: byCaller((caller) => listDataExports(ctx, caller)),
    listExportConsents: byCaller((caller) => listExportConsents(ctx, caller)),
    getDataExport: byCaller((caller, request) => getDataExport(ctx, caller, request)),
    claimDataExport: () => claimDataExport(ctx),
    renewDataExport: (_call, request) => renewDataExport(ctx, request),
    finishDataExport: (_call, request) => finishDataExport(ctx, request),
    failDataExport: (_call, request) => failDataExport(ctx, request),
    listDoomedDataExports: () => listDoomedDataExports(ctx),
    forgetDataExports: (_call, request) => forgetDataExports(ctx, request),
  } satisfies Partial<Implementation<'realm'>>;
}

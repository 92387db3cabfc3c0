import { byCaller, type Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { claimDataExport } from '../data-exports/claim-data-export';
import { createDataExport } from '../data-exports/create-data-export';
import { failDataExport } from '../data-exports/fail-data-export';
import { finishDataExport } from '../data-exports/finish-data-export';
import { forgetDataExports } from '../data-exports/forget-data-exports';
import { getDataExport } from '../data-exports/get-data-export';
import { listDataExports } from '../data-exports/list-data-exports';
import { listDoomedDataExports } from '../data-exports/list-doomed-data-exports';
import { listExportConsents } from '../data-exports/list-export-consents';
import { renewDataExport } from '../data-exports/renew-data-export';

type Methods =
  | 'createDataExport'
  | 'listDataExports'
  | 'listExportConsents'
  | 'getDataExport'
  | 'claimDataExport'
  | 'renewDataExport'
  | 'finishDataExport'
  | 'failDataExport'
  | 'listDoomedDataExports'
  | 'forgetDataExports';

/** Archives of what may be shared: what administrators ask for, and what the gateway makes. */
export function dataExportMethods(ctx: Context): Pick<Implementation<'realm'>, Methods> {
  return {
    createDataExport: byCaller((caller, request) => createDataExport(ctx, caller, request)),
    listDataExports: byCaller((caller) => listDataExports(ctx, caller)),
    listExportConsents: byCaller((caller) => listExportConsents(ctx, caller)),
    getDataExport: byCaller((caller, request) => getDataExport(ctx, caller, request)),
    claimDataExport: () => claimDataExport(ctx),
    renewDataExport: (_call, request) => renewDataExport(ctx, request),
    finishDataExport: (_call, request) => finishDataExport(ctx, request),
    failDataExport: (_call, request) => failDataExport(ctx, request),
    listDoomedDataExports: () => listDoomedDataExports(ctx),
    forgetDataExports: (_call, request) => forgetDataExports(ctx, request),
  };
}

import type { DataExport } from '../proto';
import { publicDataExport } from '../wire';
import { declareEvent } from './declare-event';

export interface DataExportsChanged {
  administratorIds: number[];
  /** All of them, as they are now. */
  exports: DataExport[];
}

/** An archive was asked for, was made, or could not be made. Public event `realm_export`, for administrators. */
export const dataExportsChanged = declareEvent<DataExportsChanged>()('data-exports.changed', [
  {
    type: 'realm_export',
    audience: ({ administratorIds }) => ({ to: 'users', userIds: administratorIds }),
    variant: () => '',
    render: ({ exports }) => ({ type: 'realm_export', exports: exports.map(publicDataExport) }),
  },
]);

import type { DataExport } from '../proto';
import { publicDataExport } from '../wire';
import { declareEvent } from './declare-event';

export interface DataExportsChanged {
  administratorIds: number[];
  /** All of them, after the change. */
  exports: DataExport[];
}

/** An archive was requested, completed or failed. Public event `realm_export`, for administrators. */
export const dataExportsChanged = declareEvent<DataExportsChanged>()('data-exports.changed', [
  {
    type: 'realm_export',
    audience: ({ administratorIds }) => ({ to: 'users', userIds: administratorIds }),
    variant: () => '',
    render: ({ exports }) => ({ type: 'realm_export', exports: exports.map(publicDataExport) }),
  },
]);

export interface ExportConsentChanged {
  userId: number;
  hasConsented: boolean;
  administratorIds: number[];
}

/**
 * A user has consented to the export of private data, or withdrawn consent. Public event `realm_export_consent`, for
 * administrators.
 */
export const exportConsentChanged = declareEvent<ExportConsentChanged>()('export-consent.changed', [
  {
    type: 'realm_export_consent',
    audience: ({ administratorIds }) => ({ to: 'users', userIds: administratorIds }),
    variant: () => '',
    render: ({ userId, hasConsented }) => ({ type: 'realm_export_consent', user_id: userId, consented: hasConsented }),
  },
]);

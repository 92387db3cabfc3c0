import { declareEvent } from './declare-event';

export interface ExportConsentChanged {
  userId: number;
  hasConsented: boolean;
  administratorIds: number[];
}

/** A user has allowed, or forbidden, the export of private data. Public event `realm_export_consent`, for administrators. */
export const exportConsentChanged = declareEvent<ExportConsentChanged>()('export-consent.changed', [
  {
    type: 'realm_export_consent',
    audience: ({ administratorIds }) => ({ to: 'users', userIds: administratorIds }),
    variant: () => '',
    render: ({ userId, hasConsented }) => ({ type: 'realm_export_consent', user_id: userId, consented: hasConsented }),
  },
]);

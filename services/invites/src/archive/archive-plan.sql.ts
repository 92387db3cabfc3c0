import { type ArchivePlan, archivedTables } from '@parley/shared/archive';
import { TABLES } from '../invitations/ended-invitations.sql';

/** Short-lived rows. Queued mails are among them: importing those would send them twice. */
const LEFT_OUT = ['mail_job', 'request_key', 'acceptance_attempt'];

/** This service's part of an organization's archive; none of it is shared. */
export const ARCHIVE: ArchivePlan = {
  complete: archivedTables(TABLES, LEFT_OUT, []),
  shared: [],
  personal: [
    {
      table: 'invitation',
      columns: ['id', 'email', 'referrer_id', 'created_at'],
      only: 't.referrer_id = any($3)',
    },
  ],
};

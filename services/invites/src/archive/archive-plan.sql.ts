import { type ArchivePlan, archivedTables } from '@parley/shared/archive';
import { TABLES } from '../invitations/ended-invitations.sql';

/** What ends by itself, soon, mails on their way among it: nobody gets one twice. */
const LEFT_OUT = ['mail_job', 'request_key', 'acceptance_attempt'];

/** What of this service goes into an organization's archive: nothing of it is shared. */
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

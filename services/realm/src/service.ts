import path from 'node:path';
import { warmUpRenderer } from '@parley/shared/markdown';
import { createOutsideHttp } from '@parley/shared/outside-http';
import { openPrisma } from '@parley/shared/prisma';
import { checkSecret, type DatabaseService, databaseService, type Overrides } from '@parley/shared/service';
import { confirmationOf } from './api-keys/confirm-credential';
import { ARCHIVE } from './archive/archive.sql';
import { deleteExpiredAuditsPeriodically } from './audit/audit-log';
import { withAudit } from './audit/with-audit';
import type { Config } from './config';
import { PrismaClient } from './generated/prisma/client';
import { endLeasesBeforeCommit } from './leases/end-leases';
import { foldListChangesPeriodically } from './list-changes/fold-list-changes';
import { listen } from './listeners';
import { sendMails } from './mails/send-mails';
import { systemBotAccounts } from './notices/system-bots';
import { renameSystemBots } from './notices/system-bots.sql';
import { renderStaleTextsPeriodically } from './rendering/render-texts';
import { implementation } from './rpc';
import { recordFailuresPeriodically } from './sign-in/record-failures';
import { endWaitingPeriodsPeriodically } from './waiting-periods/waiting-periods';

/** The SQL migrations; tests clone databases from a template made of them. */
export const MIGRATIONS = path.resolve(__dirname, '../migrations');

/** Creates a realm service, not yet started; used by main.ts and by dev-env. */
export function create(config: Config, overrides: Overrides = {}): DatabaseService {
  return databaseService({
    name: 'realm',
    migrations: MIGRATIONS,
    archive: ARCHIVE,
    config,
    overrides,
    async wire(base, onStop) {
      warmUpRenderer();
      base.db.beforeCommit(endLeasesBeforeCommit(base));
      await checkSecret(base, 'BOT_KEY_SECRET', config.BOT_KEY_SECRET);
      const prisma = openPrisma(base.db, (adapter) => new PrismaClient({ adapter }));
      onStop(() => prisma.$disconnect());
      // Loads Prisma's query compiler, which takes a tenth of a second, before the first request.
      await prisma.$connect();
      await renameSystemBots(base.db, systemBotAccounts(config));
      onStop(endWaitingPeriodsPeriodically(base));
      onStop(foldListChangesPeriodically(base));
      onStop(deleteExpiredAuditsPeriodically(base));
      onStop(recordFailuresPeriodically(base));
      onStop(renderStaleTextsPeriodically(base));
      const ctx = { ...base, prisma, outside: createOutsideHttp({ allow: config.OUTGOING_ALLOW }) };
      onStop(listen(ctx));
      onStop(sendMails(ctx));
      return { implementation: withAudit(ctx, implementation), confirmation: confirmationOf(ctx) };
    },
  });
}

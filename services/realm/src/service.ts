import path from 'node:path';
import { warmUpRenderer } from '@parley/shared/markdown';
import { openPrisma } from '@parley/shared/prisma';
import { checkSecret, type DatabaseService, databaseService, type Overrides } from '@parley/shared/service';
import { ARCHIVE } from './archive/archive.sql';
import { keepForgettingAudits } from './audit/audit-log';
import { withAudit } from './audit/with-audit';
import type { Config } from './config';
import { PrismaClient } from './generated/prisma/client';
import { keepFoldingListChanges } from './list-changes/keep-folding-list-changes';
import { listen } from './listeners';
import { sendMails } from './mails/send-mails';
import { systemBotAccounts } from './notices/system-bots';
import { renameSystemBots } from './notices/system-bots.sql';
import { keepRenderingStaleTexts } from './rendering/render-texts';
import { implementation } from './rpc';
import { keepRecordingFailures } from './sign-in/keep-recording-failures';
import { keepEndingWaitingPeriods } from './waiting-periods/waiting-periods';

/** Where this service's SQL files lie; tests clone databases from a template made of them. */
export const MIGRATIONS = path.resolve(__dirname, '../migrations');

/** A realm service that is not started yet; used by main.ts and by dev-env alike. */
export function create(config: Config, overrides: Overrides = {}): DatabaseService {
  return databaseService({
    name: 'realm',
    migrations: MIGRATIONS,
    archive: ARCHIVE,
    config,
    overrides,
    async wire(base, onStop) {
      warmUpRenderer();
      await checkSecret(base, 'BOT_KEY_SECRET', config.BOT_KEY_SECRET);
      const prisma = openPrisma(base.db, (adapter) => new PrismaClient({ adapter }));
      onStop(() => prisma.$disconnect());
      // Loads its compiler of queries, which takes a tenth of a second: before there are requests to wait for that.
      await prisma.$connect();
      await renameSystemBots(base.db, systemBotAccounts(config));
      onStop(keepEndingWaitingPeriods(base));
      onStop(keepFoldingListChanges(base));
      onStop(keepForgettingAudits(base));
      onStop(keepRecordingFailures(base));
      onStop(keepRenderingStaleTexts(base));
      const ctx = { ...base, prisma };
      onStop(listen(ctx));
      onStop(sendMails(ctx));
      return withAudit(ctx, implementation);
    },
  });
}

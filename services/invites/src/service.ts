import path from 'node:path';
import { openPrisma } from '@parley/shared/prisma';
import { confirmWith, connectRpc } from '@parley/shared/rpc';
import { checkSecret, type DatabaseService, databaseService, type Overrides, tlsFilesOf } from '@parley/shared/service';
import { finishHalfAcceptedPeriodically } from './acceptance/finish-acceptance';
import { ARCHIVE } from './archive/archive-plan.sql';
import type { Config } from './config';
import type { Context } from './context';
import { PrismaClient } from './generated/prisma/client';
import { listen } from './listeners';
import { sendMails } from './mails/send-mails';
import { CONFIRMED_WITHIN, implementation } from './rpc';

/** The SQL migrations; tests clone databases from a template made of them. */
export const MIGRATIONS = path.resolve(__dirname, '../migrations');

/** Creates an invites service, not yet started; used by main.ts and by dev-env. */
export function create(config: Config, overrides: Overrides = {}): DatabaseService {
  return databaseService({
    name: 'invites',
    migrations: MIGRATIONS,
    archive: ARCHIVE,
    config,
    overrides,
    async wire(base, onStop) {
      await checkSecret(base, 'INVITATION_KEY_SECRET', config.INVITATION_KEY_SECRET);
      const tls = tlsFilesOf(config);
      const realm = connectRpc('realm', config.REALM_ADDRESS, tls);
      onStop(async () => realm.close());
      const prisma = openPrisma(base.db, (adapter) => new PrismaClient({ adapter }));
      onStop(() => prisma.$disconnect());
      await prisma.$connect();
      const ctx: Context = { ...base, prisma, services: { realm: realm.client } };
      onStop(listen(ctx));
      onStop(sendMails(ctx));
      onStop(finishHalfAcceptedPeriodically(ctx));
      onStop(() => realm.stopWaiting());
      return { implementation: implementation(ctx), confirmation: confirmWith(realm.client, CONFIRMED_WITHIN) };
    },
  });
}

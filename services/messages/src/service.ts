import path from 'node:path';
import { RenderingTurns, warmUpRenderer } from '@parley/shared/markdown';
import { createOutsideHttp } from '@parley/shared/outside-http';
import { openPrisma } from '@parley/shared/prisma';
import { confirmWith, connectRpc, type RpcClient } from '@parley/shared/rpc';
import { type DatabaseService, databaseService, type Overrides, tlsFilesOf } from '@parley/shared/service';
import { KnownReadFacts } from './access/known-read-facts';
import { ReaderLeases } from './access/reader-leases';
import { UserCards } from './access/user-cards';
import { ARCHIVE } from './archive/archive.sql';
import { reviewQuietChannelsPeriodically } from './channels/quiet-channels';
import type { Config } from './config';
import type { Context } from './context';
import { purgeDeletedMessagesPeriodically } from './deletions/delete-messages';
import { PrismaClient } from './generated/prisma/client';
import { listen } from './listeners';
import { measure } from './measure';
import { CONFIRMED_WITHIN, implementation } from './rpc';
import { deleteExpiredSendKeysPeriodically } from './send-keys/send-keys';
import { joinSendFacts } from './sending/gather-send-facts';
import { joinStores } from './sending/store-messages';
import { addCards, createLateCards } from './website-cards/website-cards';

/** The folder of this service's SQL files; tests clone databases from a template made of them. */
export const MIGRATIONS = path.resolve(__dirname, '../migrations');

/** A messages service that is not started yet; used by main.ts and by dev-env. */
export function create(config: Config, overrides: Overrides = {}): DatabaseService {
  return databaseService({
    name: 'messages',
    migrations: MIGRATIONS,
    archive: ARCHIVE,
    config,
    overrides,
    async wire(base, onStop) {
      warmUpRenderer();
      const prisma = openPrisma(base.db, (adapter) => new PrismaClient({ adapter }));
      onStop(() => prisma.$disconnect());
      // Loads Prisma's query compiler, which takes a tenth of a second, before there are requests.
      await prisma.$connect();
      const tls = tlsFilesOf(config);
      const realm = connectRpc('realm', config.REALM_ADDRESS, tls);
      onStop(async () => realm.close());
      onStop(deleteExpiredSendKeysPeriodically(base));
      onStop(purgeDeletedMessagesPeriodically(base));
      const lateCards = createLateCards((message, signal) => addCards(ctx, message, signal), base.log);
      const ctx: Context = {
        ...base,
        prisma,
        services: { realm: realm.client },
        getSendFacts: joinSendFacts(realm.client),
        readFacts: new KnownReadFacts(realm.client, base.clock, leasesOf(realm.client, base, onStop)),
        userCards: new UserCards(realm.client, base.clock),
        rendering: new RenderingTurns(),
        storeMessage: joinStores(base.db),
        outside: createOutsideHttp({ allow: config.OUTGOING_ALLOW }),
        lateCards,
      };
      onStop(() => lateCards.stop());
      onStop(measure(ctx));
      onStop(reviewQuietChannelsPeriodically(ctx));
      onStop(listen(ctx));
      onStop(() => realm.stopWaiting());
      return { implementation: implementation(ctx), confirmation: confirmWith(realm.client, CONFIRMED_WITHIN) };
    },
  });
}

function leasesOf(
  realm: RpcClient<'realm'>,
  base: Pick<Context, 'bus' | 'clock'>,
  onStop: (close: () => Promise<void>) => void,
): ReaderLeases {
  const leases = new ReaderLeases({ realm, ...base });
  onStop(() => leases.stop());
  return leases;
}

import type { RenderingTurns } from '@parley/shared/markdown';
import type { OutsideHttp } from '@parley/shared/outside-http';
import type { RpcClient } from '@parley/shared/rpc';
import type { BaseContext } from '@parley/shared/service';
import type { KnownReadFacts } from './access/known-read-facts';
import type { UserCards } from './access/user-cards';
import type { Config } from './config';
import type { NewMessage } from './content/new-message';
import type { Prisma, PrismaClient } from './generated/prisma/client';
import type { GetSendFacts } from './sending/gather-send-facts';
import type { Stored } from './sending/store-messages.sql';
import type { LateCards } from './website-cards/website-cards';

/** The dependencies of actions. */
export interface Context extends BaseContext<Config> {
  prisma: PrismaClient;
  services: { realm: RpcClient<'realm'> };
  getSendFacts: GetSendFacts;
  readFacts: KnownReadFacts;
  userCards: UserCards;
  /** Runs long renderings one after the other. */
  rendering: RenderingTurns;
  /** Stores and announces a message, or returns the one stored with the same key before. Concurrent sends share a commit. */
  storeMessage(message: NewMessage): Promise<Stored>;
  /** HTTP client for addresses given by users. */
  outside: OutsideHttp;
  /** Adds cards of linked pages to stored messages. */
  lateCards: Pick<LateCards, 'want'>;
}

/** The typed client of plain tables: `ctx.prisma`, or the one that prismaTransaction() passes to its callback. */
export type Tables = Prisma.TransactionClient;

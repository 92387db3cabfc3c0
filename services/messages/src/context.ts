import type { RenderingTurns } from '@parley/shared/markdown';
import type { OutsideHttp } from '@parley/shared/outside-http';
import type { RpcClient } from '@parley/shared/rpc';
import type { BaseContext } from '@parley/shared/service';
import type { UserCards } from './access/user-cards';
import type { Config } from './config';
import type { NewMessage } from './content/new-message';
import type { Prisma, PrismaClient } from './generated/prisma/client';
import type { GetSendFacts } from './sending/gather-send-facts';
import type { Stored } from './sending/store-messages.sql';
import type { LateCards } from './website-cards/website-cards';

/** Everything an action may use: the only wiring. */
export interface Context extends BaseContext<Config> {
  prisma: PrismaClient;
  services: { realm: RpcClient<'realm'> };
  getSendFacts: GetSendFacts;
  userCards: UserCards;
  /** Lets long renderings follow one another. */
  rendering: RenderingTurns;
  /** Stores and announces a message, or finds the one its key has stored before. Concurrent ones share a commit. */
  storeMessage(message: NewMessage): Promise<Stored>;
  /** Asks addresses that users name. */
  outside: OutsideHttp;
  /** Adds cards of linked pages to stored messages. */
  lateCards: Pick<LateCards, 'want'>;
}

/** The typed client of plain tables: `ctx.prisma`, or the one that prismaTransaction() hands to its work. */
export type Tables = Prisma.TransactionClient;

import type { RpcClient } from '@parley/shared/rpc';
import type { BaseContext } from '@parley/shared/service';
import type { Config } from './config';
import type { Prisma, PrismaClient } from './generated/prisma/client';

/** The dependencies of actions. */
export interface Context extends BaseContext<Config> {
  prisma: PrismaClient;
  services: {
    realm: Pick<
      RpcClient<'realm'>,
      'getInviteFacts' | 'listAdministrators' | 'getAcceptanceFacts' | 'openInvitedAccount' | 'findInvitedAccount'
    >;
  };
}

/** The typed client of plain tables: `ctx.prisma`, or the one that prismaTransaction() passes to its callback. */
export type Tables = Prisma.TransactionClient;

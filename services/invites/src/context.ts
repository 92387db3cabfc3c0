import type { RpcClient } from '@parley/shared/rpc';
import type { BaseContext } from '@parley/shared/service';
import type { Config } from './config';
import type { Prisma, PrismaClient } from './generated/prisma/client';

/** Everything an action may use: the only wiring. */
export interface Context extends BaseContext<Config> {
  prisma: PrismaClient;
  services: {
    realm: Pick<
      RpcClient<'realm'>,
      'getInviteFacts' | 'listAdministrators' | 'getAcceptanceFacts' | 'openInvitedAccount' | 'findInvitedAccount'
    >;
  };
}

/** The typed client of plain tables: `ctx.prisma`, or the one that prismaTransaction() hands to its work. */
export type Tables = Prisma.TransactionClient;

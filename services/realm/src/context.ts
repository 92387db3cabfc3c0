import type { OutsideHttp } from '@parley/shared/outside-http';
import type { BaseContext } from '@parley/shared/service';
import type { Config } from './config';
import type { Prisma, PrismaClient } from './generated/prisma/client';

/** The dependencies of actions. */
export interface Context extends BaseContext<Config> {
  prisma: PrismaClient;
  outside: OutsideHttp;
}

/** The typed client of plain tables: `ctx.prisma`, or the one that prismaTransaction() passes to its callback. */
export type Tables = Prisma.TransactionClient;

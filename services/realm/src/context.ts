import type { BaseContext } from '@parley/shared/service';
import type { Config } from './config';
import type { PrismaClient } from './generated/prisma/client';

/** Everything an action may use: the only wiring. */
export interface Context extends BaseContext<Config> {
  prisma: PrismaClient;
}

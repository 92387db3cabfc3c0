import path from 'node:path';
import { type DatabaseService, databaseService, type Overrides } from '@parley/shared/service';
import type { Config } from './config';
import { implementation } from './rpc';

/** Where this service's SQL files lie; tests clone databases from a template made of them. */
export const MIGRATIONS = path.resolve(__dirname, '../migrations');

/** A scheduler service that is not started yet; used by main.ts and by dev-env alike. */
export function create(config: Config, overrides: Overrides = {}): DatabaseService {
  return databaseService({
    name: 'scheduler',
    migrations: MIGRATIONS,
    config,
    overrides,
    wire: (base) => implementation(base),
  });
}

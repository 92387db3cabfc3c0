import '@parley/shared/node-version';
import { runMigrations } from '@parley/shared/service';
import { MIGRATIONS } from './service';

void runMigrations('realm', MIGRATIONS);

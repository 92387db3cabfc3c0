import path from 'node:path';
import { openTestDatabase as open, type TestDatabase } from '@parley/shared/testing';

const SCHEMA = { service: 'scheduler', directory: path.resolve(__dirname, '../migrations') };

/** A database without a service. */
export function openTestDatabase(): Promise<TestDatabase> {
  return open(SCHEMA, 10);
}

import path from 'node:path';
import { openTestDatabase as open, type TestDatabase } from '@parley/shared/testing';

const SCHEMA = { service: 'messages', directory: path.resolve(__dirname, '../migrations') };

/** A separate database without a running service. */
export function openTestDatabase(poolSize = 4): Promise<TestDatabase> {
  return open(SCHEMA, poolSize);
}

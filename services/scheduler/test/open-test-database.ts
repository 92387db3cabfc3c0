import path from 'node:path';
import { openTestDatabase as open, type TestDatabase } from '@parley/shared/testing';

const SCHEMA = { service: 'scheduler', directory: path.resolve(__dirname, '../migrations') };

/** A database of its own, without a service that runs on it. */
export function openTestDatabase(): Promise<TestDatabase> {
  return open(SCHEMA, 10);
}

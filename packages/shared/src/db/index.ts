export * from './advisory-lock';
export type { BeforeCommit } from './before-commit';
export { type AsOfSnapshot, type Database, type DatabaseOptions, databaseUrl, openDatabase } from './database';
export * from './delete-rows-of-realm';
export { analyzeGrownTables } from './grown-tables';
export {
  type InspectedServer,
  inspectServer,
  listAppliedMigrations,
  pingDatabase,
  readServerVersion,
} from './inspect-server';
export { lastFull } from './lost-connection';
export { awaitSchema, type MigrateOptions, migrate } from './migrate';
export { ChangedMeanwhile, repeatOnConflict } from './repeat-on-conflict';
export {
  type AnyStatement,
  composed,
  fewRows,
  hasRow,
  isInList,
  onlyRow,
  type RowOf,
  run,
  type Sql,
  type Statement,
  statement,
  type Transaction,
} from './sql';
export { readSnapshot, TransactionSnapshot } from './transaction-snapshot';

export * from './database';
export * from './migrate';
export { type Sql, type Statement, statement, type Transaction } from './sql';

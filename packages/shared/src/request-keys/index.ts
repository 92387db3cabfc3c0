export * from './first-answer';
export type { KeyedRequest } from './request-keys.sql';

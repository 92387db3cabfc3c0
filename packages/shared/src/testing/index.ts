export * from './answer-only';
export { BrokerCluster } from './broker-cluster';
export * from './certificates';
export * from './databases';
export * from './fake-clock';
export * from './markdown-corpus';
export * from './realm-tables';
export * from './schema-agreement';
export * from './until';

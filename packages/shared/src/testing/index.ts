export { BrokerCluster } from './broker-cluster';
export * from './certificates';
export * from './databases';
export * from './doubles';
export * from './identity-provider';
export * from './markdown-corpus';
export * from './schema-agreement';
export * from './slapd';
export * from './until';

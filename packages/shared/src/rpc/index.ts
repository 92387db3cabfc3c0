export * from './call';
export { connectRpc, fromServiceError, type RpcConnection } from './client';
export { byCaller, type RpcServer, type ServeOptions, serve } from './serve';
export type { Implementation, RpcClient, RpcStream } from './types';

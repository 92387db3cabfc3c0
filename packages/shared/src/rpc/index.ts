export * from './call';
export {
  type ConnectionTimes,
  connectRpc,
  ERROR_TRAILER,
  fromServiceError,
  MAX_MESSAGE_BYTES,
  type RpcConnection,
} from './client';
export { explainAbsence } from './explain-absence';
export { publicErrorOf } from './failed-call';
export { askHealth, isServing, type ServiceHealth } from './health';
export { openStream } from './open-stream';
export { byCaller, type RpcServer, type ServeOptions, serve } from './serve';
export { refreshCertificates, type TlsFiles } from './tls';
export type { Implementation, RpcClient, RpcStream, RpcStreams } from './types';

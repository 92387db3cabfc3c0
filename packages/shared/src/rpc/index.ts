export * from './call';
export {
  type ConnectionTimes,
  connectRpc,
  ERROR_TRAILER,
  fromServiceError,
  isUnknownMethod,
  MAX_MESSAGE_BYTES,
  openStream,
  type RpcConnection,
} from './client';
export { acceptAll, type Confirmation, confirmWith } from './confirmed-calls';
export { explainAbsence } from './explain-absence';
export { askHealth, isServing, type ServiceHealth } from './health';
export { byCaller, type RpcServer, type ServeOptions, serve } from './serve';
export { publicErrorOf } from './serve-multiplexed-calls';
export { refreshCertificates, type TlsFiles } from './tls';
export type { Implementation, RpcClient, RpcStream, RpcStreams } from './types';

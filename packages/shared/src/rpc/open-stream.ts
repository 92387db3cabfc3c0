import type { ServiceName } from '../proto';
import type { RpcConnection } from './client';
import type { RpcStreams } from './types';

/**
 * Opens a two-way stream to the connected service, which lives until either side ends it. It is not waited for: a service
 * that is away breaks the stream at once. Its `error` events are gRPC's own, see fromServiceError.
 */
export function openStream<S extends ServiceName, M extends keyof RpcStreams<S> & string>(
  connection: RpcConnection<S>,
  method: M,
): RpcStreams<S>[M] {
  const open = connection.raw[method] as () => RpcStreams<S>[M];
  return open.call(connection.raw);
}

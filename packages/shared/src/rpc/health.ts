import { service as healthService } from 'grpc-health-check';
import type { ServiceName } from '../proto';
import type { RpcConnection } from './client';

/** Whether the connected service answers its gRPC health check within `timeoutMs`; for readiness probes. Never rejects. */
export function isServing(connection: Pick<RpcConnection<ServiceName>, 'raw'>, timeoutMs: number): Promise<boolean> {
  const { path, requestSerialize, responseDeserialize } = healthService['Check'] as NonNullable<
    (typeof healthService)[string]
  >;
  return new Promise((resolve) => {
    connection.raw.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      { service: '' },
      { deadline: Date.now() + timeoutMs },
      (error, response) => resolve(!error && (response as { status?: string } | undefined)?.status === 'SERVING'),
    );
  });
}

import type * as grpc from '@grpc/grpc-js';
import { type Inspected, type InspectRequest, loadService } from '../proto';
import { type Call, fromServiceError, type RpcConnection, toMetadata } from '../rpc';

/** What the process on the other side tells of itself. Throws as calls do. Called by the operator's command. */
export function inspect(
  { raw }: Pick<RpcConnection<'realm'>, 'raw'>,
  call: Call,
  request: InspectRequest,
): Promise<Inspected> {
  const method = loadService('inspection')['Inspect'] as grpc.MethodDefinition<InspectRequest, Inspected>;
  const { metadata, deadline } = toMetadata(call);
  return new Promise((resolve, reject) => {
    (raw as grpc.Client).makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadata,
      { deadline },
      (error, answer) => (answer ? resolve(answer) : reject(fromServiceError(error as grpc.ServiceError))),
    );
  });
}

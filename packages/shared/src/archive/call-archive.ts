import { once } from 'node:events';
import { addAbortSignal } from 'node:stream';
import type * as grpc from '@grpc/grpc-js';
import { type ExportedRows, type ExportRequest, type ImportedRows, type ImportReply, loadService } from '../proto';
import { type Call, fromServiceError, type RpcConnection, toMetadata } from '../rpc';

/** A connection to any service with a database. */
export type ArchiveConnection = Pick<RpcConnection<'realm'>, 'raw'>;

/**
 * An organization's rows in a service, as of one moment: first the migrations, then the tables in an order in which they can be
 * imported. Throws when the signal is aborted.
 */
export async function* exportFrom(
  connection: ArchiveConnection,
  call: Call,
  request: ExportRequest,
  signal?: AbortSignal,
): AsyncGenerator<ExportedRows> {
  const stream = open<ExportRequest, ExportedRows>(connection, 'Export', call);
  if (signal) addAbortSignal(signal, stream);
  try {
    stream.end(request);
    yield* stream as AsyncIterable<ExportedRows>;
  } catch (error) {
    throw fromServiceError(error as grpc.ServiceError);
  } finally {
    stream.cancel();
  }
}

/**
 * Imports rows into a service, all or none; the first part has the organization and the migrations. Returns their numbers, by
 * table.
 */
export async function importInto(
  connection: ArchiveConnection,
  call: Call,
  parts: AsyncIterable<ImportedRows>,
): Promise<Record<string, number>> {
  const stream = open<ImportedRows, ImportReply>(connection, 'Import', call);
  const reply = firstOf(stream);
  // Awaited below; a rejection before that is not unhandled.
  reply.catch(() => {});
  try {
    for await (const part of parts) {
      if (stream.destroyed) break;
      // If the stream fails, the reply has the service's error.
      if (!stream.write(part)) await Promise.race([once(stream, 'drain').catch(() => reply), reply]);
    }
    stream.end();
    return (await reply).rows;
  } finally {
    stream.cancel();
  }
}

async function firstOf<Reply>(stream: grpc.ClientDuplexStream<never, Reply>): Promise<Reply> {
  try {
    for await (const reply of stream as AsyncIterable<Reply>) return reply;
  } catch (error) {
    throw fromServiceError(error as grpc.ServiceError);
  }
  throw new Error('The service ended without an answer');
}

function open<Request, Reply>({ raw }: ArchiveConnection, name: 'Export' | 'Import', call: Call) {
  const method = loadService('archive')[name] as grpc.MethodDefinition<Request, Reply>;
  const { metadata, deadline } = toMetadata(call);
  return (raw as grpc.Client).makeBidiStreamRequest<Request, Reply>(
    method.path,
    method.requestSerialize,
    method.responseDeserialize,
    metadata,
    { deadline },
  );
}

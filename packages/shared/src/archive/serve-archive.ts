import { once } from 'node:events';
import * as grpc from '@grpc/grpc-js';
import type { Database } from '../db';
import { encodeError } from '../errors';
import type { Logger } from '../observability';
import { type ExportedRows, type ExportRequest, type ImportedRows, type ImportReply, loadService } from '../proto';
import { ERROR_TRAILER, fromMetadata, publicErrorOf } from '../rpc';
import type { ArchivePlan } from './archived-table';
import { exportRows } from './export-rows';
import { importRows } from './import-rows';

type Stream<Request, Reply> = grpc.ServerDuplexStream<Request, Reply>;

/** Serves `proto/archive.proto` in addition to a service's methods; called where a service with a database is started. */
export function serveArchive(server: grpc.Server, { db, plan, log }: { db: Database; plan: ArchivePlan; log: Logger }) {
  server.addService(loadService('archive'), {
    Export: (stream: Stream<ExportRequest, ExportedRows>) =>
      void answer(stream, 'archive.Export', log, async () => {
        const [request] = (await once(stream, 'data')) as [ExportRequest];
        await exportRows(db, plan, request, (part) => write(stream, part));
      }),
    Import: (stream: Stream<ImportedRows, ImportReply>) =>
      void answer(stream, 'archive.Import', log, async () => {
        // The call is answered after its stream has ended, so it must not be destroyed then.
        const parts = stream.iterator({ destroyOnReturn: false });
        await write(stream, { rows: await importRows(db, plan, parts) });
      }),
  });
}

async function answer<Request, Reply>(
  stream: Stream<Request, Reply>,
  method: string,
  log: Logger,
  work: () => Promise<void>,
): Promise<void> {
  const call = fromMetadata(stream.metadata, stream.getDeadline());
  try {
    await work();
    stream.end();
  } catch (error) {
    if (stream.cancelled) return;
    const publicError = publicErrorOf(error, method, call, log);
    const metadata = new grpc.Metadata();
    if (publicError) metadata.set(ERROR_TRAILER, encodeError(publicError));
    const code = publicError ? grpc.status.FAILED_PRECONDITION : grpc.status.INTERNAL;
    stream.emit('error', { code, details: publicError?.code ?? 'Internal error', metadata });
  }
}

async function write<Reply>(stream: Stream<unknown, Reply>, reply: Reply): Promise<void> {
  if (stream.cancelled) throw new Error('The caller has gone');
  if (stream.write(reply)) return;
  const cancelled = new AbortController();
  const leave = () => cancelled.abort();
  stream.once('cancelled', leave);
  try {
    await once(stream, 'drain', { signal: cancelled.signal });
  } finally {
    stream.off('cancelled', leave);
  }
}

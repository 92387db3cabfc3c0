import { Readable, type Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type ArchiveConnection, exportFrom } from '@parley/shared/archive';
import type { ExportedRows, ExportRequest, ReceivedRange } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { ANIMATED, STILL } from '../uploads/picture';
import { type UploadStore, uploadKeys } from '../uploads/upload-store';
import { type ArchiveWriter, archiveWriter } from './archive-writer';
import { ARCHIVED_SERVICES, type ArchivedService, FORMAT, type Manifest, type ServiceManifest } from './manifest';

/** The sources of an archive's content. */
export interface ArchiveSource {
  connections: Readonly<Record<ArchivedService, ArchiveConnection>>;
  store: Pick<UploadStore, 'get'>;
}

export interface ArchiveOrder {
  kind: Manifest['kind'];
  realm: Manifest['realm'];
  madeAtMs: number;
  /** For a partial archive: the included channels, users and messages. */
  channelIds: number[];
  userIds: number[];
  received: ReceivedRange[];
  /** The person of a personal archive. */
  personId?: number;
}

/** An uploaded file, by its row; rows in shared exports do not mention thumbnails. */
interface File {
  path_id: string;
  size: number;
  thumbnails?: string | undefined;
}

const MAX_MS = 12 * 3_600_000;

/** Writes an organization's archive; an error, or the signal, ends the destination with an error. */
export async function writeArchive(
  { connections, store }: ArchiveSource,
  order: ArchiveOrder,
  destination: Writable,
  signal?: AbortSignal,
): Promise<void> {
  const writer = archiveWriter(destination);
  const { kind, realm, madeAtMs } = order;
  const request = requestOf(order);
  try {
    const services: Record<string, ServiceManifest> = {};
    const files: File[] = [];
    for (const service of ARCHIVED_SERVICES) {
      const parts = exportFrom(connections[service], newCall(undefined, MAX_MS), request, signal);
      services[service] = await writeRows(writer, service, parts, files);
    }
    const missing = await writeFiles(writer, store, files);
    const made = { format: FORMAT, kind, made_at: new Date(madeAtMs).toISOString(), realm } as const;
    await writer.finish({ ...made, services: services as Manifest['services'], missing_files: missing });
  } catch (error) {
    await writer.abort(error as Error);
    throw error;
  }
}

function requestOf({ kind, realm, channelIds, userIds, received, personId }: ArchiveOrder): ExportRequest {
  const chosen = { realmId: realm.id, isComplete: kind === 'complete', channelIds, userIds, received };
  return personId === undefined ? chosen : { ...chosen, personId };
}

/** Writes an entry for each part of a table; collects its files. */
async function writeRows(
  writer: ArchiveWriter,
  service: ArchivedService,
  exported: AsyncIterable<ExportedRows>,
  files: File[],
): Promise<ServiceManifest> {
  const found: ServiceManifest = { migrations: [], sequences: {}, rows: {} };
  let parts = 0;
  for await (const part of exported) {
    const { table, rows, migrations, sequences } = part;
    if (table === '') {
      Object.assign(found, { migrations, sequences });
      continue;
    }
    const lines = part.lines as Buffer;
    if (table === 'attachment') files.push(...filesOf(lines));
    found.rows[table] = (found.rows[table] ?? 0) + rows;
    parts += 1;
    const name = `${service}/${String(parts).padStart(6, '0')}-${table}.ndjson`;
    await writer.add(name, lines.length, Readable.from([lines]));
  }
  return found;
}

function filesOf(lines: Buffer): File[] {
  const rows = lines.toString().trimEnd().split('\n');
  return rows.map((row) => {
    const { path_id, size, thumbnails } = JSON.parse(row) as File;
    return { path_id, size, thumbnails };
  });
}

/** Returns the files that no longer exist: they expired after their rows were read. */
async function writeFiles(
  writer: ArchiveWriter,
  store: ArchiveSource['store'],
  files: readonly File[],
): Promise<string[]> {
  const missing: string[] = [];
  for (const { path_id: pathId, size, thumbnails } of files) {
    const bytes = await store.get(uploadKeys.file(pathId));
    if (bytes === null) missing.push(pathId);
    else await writer.add(`files/${pathId}`, size, bytes);
    if (thumbnails === 'ready') await writeThumbnails(writer, store, pathId);
  }
  return missing;
}

async function writeThumbnails(writer: ArchiveWriter, store: ArchiveSource['store'], pathId: string): Promise<void> {
  for (const format of [STILL, ANIMATED]) {
    const found = await store.get(uploadKeys.thumbnail(pathId, format));
    if (found === null) continue;
    // Small, but of unknown size.
    const bytes = await buffer(found);
    await writer.add(`thumbnails/${pathId}/${format}`, bytes.length, Readable.from([bytes]));
  }
}

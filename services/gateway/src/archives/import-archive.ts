import { buffer } from 'node:stream/consumers';
import { type ArchiveConnection, importInto } from '@parley/shared/archive';
import type { ImportedRows } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import type { UploadStore } from '../uploads/upload-store';
import { type ArchiveEntry, checkArchive, readEntries } from './archive-reader';
import { ARCHIVED_SERVICES, type ArchivedService, MANIFEST, type Manifest } from './manifest';
import { addressMover, type MoveAddresses } from './move-addresses';
import { storedPlace } from './stored-place';

/** The destination of an archive's content. */
export interface ArchiveTarget {
  connections: Readonly<Record<ArchivedService, ArchiveConnection>>;
  realm: Pick<RpcClient<'realm'>, 'beginImport' | 'finishImport' | 'abandonImport'>;
  scheduler: Pick<RpcClient<'scheduler'>, 'resumeImported'>;
  store: Pick<UploadStore, 'put'>;
}

export interface ImportOrder {
  file: string;
  /** Absent: the archived one. */
  subdomain?: string | undefined;
  /** Absent: as archived. */
  isOpen?: boolean | undefined;
}

export interface Imported {
  realmId: number;
  subdomain: string;
  rows: number;
  files: number;
  /** Number of API keys that another organization here already has, as for a copy beside the original. */
  keysLeftOut: number;
}

const MAX_MS = 12 * 3_600_000;

/**
 * Creates an organization from a complete archive, which is validated as a whole first. The organization stays hidden until it is complete;
 * a failed import is deleted, here or, when this process dies, a day later.
 */
export async function importArchive(
  target: ArchiveTarget,
  { file, subdomain, isOpen }: ImportOrder,
): Promise<Imported> {
  const manifest = await checkArchive(file);
  if (manifest.kind !== 'complete') throw new Error('the archive holds only what was shared: it cannot be imported');
  checkFiles(manifest);
  const place = subdomain ?? manifest.realm.subdomain;
  const { realmId } = await target.realm.beginImport(newCall(), { subdomain: place });
  try {
    const { rows, files } = await putAll(target, file, manifest, realmId);
    const counts = checkCounts(manifest, rows);
    await target.scheduler.resumeImported(newCall(), { realmId });
    const { id: formerRealmId, uuid, is_deactivated: wasDeactivated } = manifest.realm;
    const isDeactivated = isOpen === undefined ? wasDeactivated : !isOpen;
    const finished = { realmId, subdomain: place, formerRealmId, uuid, isDeactivated };
    // Reads every entry of the audit log once more.
    await target.realm.finishImport(newCall(undefined, MAX_MS), finished);
    return { realmId, subdomain: place, files, ...counts };
  } catch (error) {
    // Otherwise it is deleted a day later.
    await target.realm.abandonImport(newCall(), { realmId }).catch(() => {});
    throw error;
  }
}

/** Throws if a file does not belong to the organization. */
function checkFiles({ realm, entries }: Manifest): void {
  for (const { name } of entries) {
    const isRows = ARCHIVED_SERVICES.some((service) => name.startsWith(`${service}/`));
    if (!isRows) storedPlace(name, { from: realm.id, to: realm.id });
  }
}

type Counts = Partial<Record<ArchivedService, Record<string, number>>>;

async function putAll(target: ArchiveTarget, file: string, manifest: Manifest, realmId: number) {
  const entries = readEntries(file);
  const moved = { from: manifest.realm.id, to: realmId };
  const move = addressMover(moved.from, moved.to);
  const rows: Counts = {};
  let files = 0;
  let next = await entries.next();
  const isOf = (folder: string) => !next.done && next.value.name.startsWith(`${folder}/`);
  for (const service of ARCHIVED_SERVICES) {
    const { migrations, sequences } = manifest.services[service];
    const first = { ...NOTHING, realmId, migrations, sequences };
    async function* parts(): AsyncGenerator<ImportedRows> {
      yield first;
      for (; isOf(service); next = await entries.next()) yield await rowsOf(next.value as ArchiveEntry, move);
      yield { ...NOTHING, isEnd: true };
    }
    rows[service] = await importInto(target.connections[service], newCall(undefined, MAX_MS), parts());
  }
  for (; !next.done && next.value.name !== MANIFEST; next = await entries.next(), files += 1) {
    await target.store.put(storedPlace(next.value.name, moved), next.value.bytes);
  }
  await entries.return(undefined);
  return { rows, files };
}

const NOTHING = { realmId: 0, migrations: [], sequences: {}, table: '', lines: Buffer.alloc(0), isEnd: false };

/** Rows of the audit log are imported unchanged, because they are hashed. */
const SEALED = 'audit_entry';

async function rowsOf({ name, bytes }: ArchiveEntry, move: MoveAddresses): Promise<ImportedRows> {
  const table = name.slice(name.indexOf('-') + 1, -'.ndjson'.length);
  const lines = await buffer(bytes);
  return { ...NOTHING, table, lines: table === SEALED ? lines : Buffer.from(move(lines.toString())) };
}

/** Throws when the services did not accept all rows. */
function checkCounts({ services }: Manifest, put: Counts): Pick<Imported, 'rows' | 'keysLeftOut'> {
  let rows = 0;
  let keysLeftOut = 0;
  for (const service of ARCHIVED_SERVICES) {
    for (const [table, wanted] of Object.entries(services[service].rows)) {
      const found = put[service]?.[table] ?? 0;
      rows += found;
      if (table === 'api_key') keysLeftOut += wanted - found;
      else if (found !== wanted) throw new Error(`${table} got ${found} of ${wanted} rows`);
    }
  }
  return { rows, keysLeftOut };
}

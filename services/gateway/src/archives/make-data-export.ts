import { PassThrough } from 'node:stream';
import type { ClaimedDataExport, ExportedRealm, HeldDataExport } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import { type UploadStore, uploadKeys } from '../uploads/upload-store';
import type { Manifest } from './manifest';
import { type ArchiveSource, writeArchive } from './write-archive';

/** Much more often than the lease ends. */
const RENEWAL_MS = 60_000;

export interface MakingNeeds {
  realm: RpcClient<'realm'>;
  connections: ArchiveSource['connections'];
  store: UploadStore;
  log: Logger;
}

/** Makes an archive that was claimed and puts it into the store; who asked for it is told by realm. Ends early when `stopping` does. */
export async function makeDataExport(
  { realm, connections, store, log }: MakingNeeds,
  claimed: ClaimedDataExport,
  stopping: AbortSignal,
): Promise<void> {
  const held = claimed.held as HeldDataExport;
  const lost = new AbortController();
  const renewal = setInterval(() => {
    realm.renewDataExport(newCall(), held).then(
      ({ isHeld }) => isHeld || lost.abort(),
      () => {},
    );
  }, RENEWAL_MS);
  try {
    const size = await putArchive({ connections, store }, claimed, AbortSignal.any([stopping, lost.signal]));
    const { isHeld } = await realm.finishDataExport(newCall(), { held, size });
    // The place is this attempt's own, and nobody else knows of it.
    if (!isHeld) await store.delete(uploadKeys.file(claimed.path));
  } catch (error) {
    log.warn({ err: error, realmId: held.realmId, exportId: held.id }, 'an archive could not be made');
    await realm.failDataExport(newCall(), held);
  } finally {
    clearInterval(renewal);
  }
}

async function putArchive(
  { connections, store }: { connections: ArchiveSource['connections']; store: UploadStore },
  claimed: ClaimedDataExport,
  signal: AbortSignal,
): Promise<number> {
  const { path, subdomain, channelIds, userIds, received } = claimed;
  const { realmId: id, name, uuid, isDeactivated } = claimed.realm as ExportedRealm;
  const kind = claimed.kind as Manifest['kind'];
  const order = {
    kind,
    realm: { id, uuid, name, subdomain, is_deactivated: isDeactivated },
    channelIds,
    userIds,
    received,
  };
  const bytes = new PassThrough({ signal });
  const stored = store.put(uploadKeys.file(path), bytes);
  // Whichever fails ends the other.
  stored.catch((error: Error) => bytes.destroy(error));
  await Promise.all([writeArchive({ connections, store }, { ...order, madeAtMs: Date.now() }, bytes), stored]);
  return stored;
}

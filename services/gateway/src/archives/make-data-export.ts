import { PassThrough } from 'node:stream';
import type { ClaimedDataExport, ExportedRealm, HeldDataExport } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import type { Clock } from '@parley/shared/values';
import { type UploadStore, uploadKeys } from '../uploads/upload-store';
import type { Manifest } from './manifest';
import { type ArchiveSource, writeArchive } from './write-archive';

/** Much more often than the lease expires. */
const RENEWAL_MS = 60_000;

export interface MakingNeeds {
  realm: RpcClient<'realm'>;
  connections: ArchiveSource['connections'];
  store: UploadStore;
  clock: Clock;
  log: Logger;
}

/** Writes a claimed export into the store; realm notifies the requester. Aborted when `stopping` is. */
export async function makeDataExport(
  needs: MakingNeeds,
  claimed: ClaimedDataExport,
  stopping: AbortSignal,
): Promise<void> {
  const { realm, store, log } = needs;
  const held = claimed.held as HeldDataExport;
  const lost = new AbortController();
  const renewal = setInterval(() => {
    realm.renewDataExport(newCall(), held).then(
      ({ isHeld }) => isHeld || lost.abort(),
      () => {},
    );
  }, RENEWAL_MS);
  try {
    const size = await putArchive(needs, claimed, AbortSignal.any([stopping, lost.signal]));
    const { isHeld } = await realm.finishDataExport(newCall(), { held, size });
    // The path belongs to this attempt only.
    if (!isHeld) await store.delete(uploadKeys.file(claimed.path));
  } catch (error) {
    const { aborted: isInterrupted } = stopping;
    const of = { realmId: held.realmId, exportId: held.id };
    if (isInterrupted) log.info(of, 'an archive is left to another gateway');
    else log.warn({ err: error, ...of }, 'an archive could not be made');
    await realm.failDataExport(newCall(), { held, isInterrupted });
  } finally {
    clearInterval(renewal);
  }
}

async function putArchive(
  { connections, store, clock }: MakingNeeds,
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
    madeAtMs: clock.now(),
  };
  const bytes = new PassThrough({ signal });
  const stored = store.put(uploadKeys.file(path), bytes);
  // A failure of either aborts the other.
  stored.catch((error: Error) => bytes.destroy(error));
  const written = writeArchive({ connections, store }, order, bytes, signal);
  // Nothing continues after the attempt is given up: the next attempt may get the same path.
  await Promise.allSettled([written, stored]);
  const size = await stored;
  await written;
  return size;
}

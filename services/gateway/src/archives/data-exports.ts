import { runPeriodically } from '@parley/shared/jobs';
import { newCall } from '@parley/shared/rpc';
import { uploadKeys } from '../uploads/upload-store';
import { type MakingNeeds, makeDataExport } from './make-data-export';

/** Finds an unfinished export of another gateway after its lease has expired: within six minutes. */
const EVERY_MS = 60_000;

/** Makes the archives ordered by administrators, one at a time. */
export interface DataExports {
  start(): void;
  /** To be called when an export was ordered, or deleted. */
  wake(): void;
  stop(): Promise<void>;
}

export function createDataExports(needs: MakingNeeds): DataExports {
  const stopping = new AbortController();
  let stopMaintaining = async () => {};
  let isWanted = false;
  let running: Promise<void> | null = null;

  async function makeAll(): Promise<void> {
    while (isWanted && !stopping.signal.aborted) {
      isWanted = false;
      while (!stopping.signal.aborted && (await makeNext(needs, stopping.signal)));
      await deleteExpired(needs);
    }
  }

  function work(): Promise<void> {
    isWanted = true;
    running ??= makeAll().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    start() {
      stopMaintaining = runPeriodically(needs, { everyMs: EVERY_MS, failure: 'maintaining archives failed' }, work);
    },
    wake() {
      work().catch((error) => needs.log.warn({ err: error }, 'maintaining archives failed'));
    },
    async stop() {
      stopping.abort();
      await stopMaintaining();
      await running?.catch(() => {});
    },
  };
}

/** False: none is waiting. */
async function makeNext(needs: MakingNeeds, stopping: AbortSignal): Promise<boolean> {
  const { claimed } = await needs.realm.claimDataExport(newCall(), {});
  if (!claimed) return false;
  await makeDataExport(needs, claimed, stopping);
  return true;
}

/** Bytes first: bytes without a row would never be found. */
async function deleteExpired({ realm, store }: MakingNeeds): Promise<void> {
  const { doomed } = await realm.listDoomedDataExports(newCall(), {});
  if (doomed.length === 0) return;
  for (const { path } of doomed) await store.delete(uploadKeys.file(path));
  await realm.forgetDataExports(newCall(), { doomed });
}

import { open, rm } from 'node:fs/promises';
import type { ArchiveOrder } from '@parley/gateway/archives/write-archive';
import type { OWNING, Place } from '../command/command';

/** Writes an archive into a new file: nothing is written over, nobody else reads what is in it, and what breaks off is not left behind. */
export async function writeToFile(
  file: string,
  { connections, environment }: Place<(typeof OWNING)[number]>,
  order: ArchiveOrder,
): Promise<void> {
  // Other commands start without all that keeps files.
  const [{ writeArchive }, { openConfiguredStore }] = await Promise.all([
    import('@parley/gateway/archives/write-archive'),
    import('@parley/gateway/uploads/uploads'),
  ]);
  const { store, closeStore } = openConfiguredStore(environment);
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    closeStore();
    throw error.code === 'EEXIST' ? new Error(`there is a file ${file} already`) : error;
  });
  try {
    await writeArchive({ connections, store }, order, handle.createWriteStream({ flush: true }));
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close().catch(() => {});
    closeStore();
  }
}

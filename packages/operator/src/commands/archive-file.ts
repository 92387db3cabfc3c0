import type { ArchiveOrder } from '@parley/gateway/archives/write-archive';
import type { CommandContext, OWNING } from '../command/command';
import { writeNewFile } from '../command/new-file';
import { withUploads } from './with-uploads';

/** Writes an archive into a new file, which is there once all of it is. */
export async function writeToFile(
  file: string,
  { connections, config }: CommandContext<(typeof OWNING)[number]>,
  order: ArchiveOrder,
): Promise<void> {
  const { writeArchive } = await import('@parley/gateway/archives/write-archive');
  await withUploads(config, (store) =>
    writeNewFile(file, (destination) => writeArchive({ connections, store }, order, destination)),
  );
}

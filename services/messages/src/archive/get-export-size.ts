import type { ExportSize, GetExportSizeRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findSpace } from '../uploads/attachment.sql';
import { countMessages } from './archive.sql';

/** The number of messages and the size of files for an archive of the organization. */
export async function getExportSize(
  { db }: Context,
  { realmId }: Caller,
  { maxMessages }: GetExportSizeRequest,
): Promise<ExportSize> {
  const messages = await countMessages(db, realmId, maxMessages);
  const { bytes: uploadBytes } = await findSpace(db, realmId);
  return { messages, uploadBytes };
}

import type { ExportSize, GetExportSizeRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findSpace } from '../uploads/attachment.sql';
import { countMessages } from './archive.sql';

/** How much an archive of the organization may have to hold. */
export async function getExportSize(
  { db }: Context,
  { realmId }: Caller,
  { maxMessages }: GetExportSizeRequest,
): Promise<ExportSize> {
  const messages = await countMessages(db, realmId, maxMessages);
  const { bytes: uploadBytes } = await findSpace(db, realmId);
  return { messages, uploadBytes };
}

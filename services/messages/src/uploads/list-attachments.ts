import type { ListAttachmentsResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findSpace, listOwn } from './attachment.sql';

/** The caller's files, and what those of the organization take up together. */
export async function listAttachments({ db }: Context, caller: Caller): Promise<ListAttachmentsResponse> {
  const [attachments, { bytes: uploadSpaceUsed }] = await Promise.all([
    listOwn(db, caller.realmId, caller.userId),
    findSpace(db, caller.realmId),
  ]);
  return { attachments, uploadSpaceUsed };
}

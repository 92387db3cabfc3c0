import { BadRequestError } from '@parley/shared/errors';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';
import { deleteUpload } from '../../uploads/upload-store';

export const deleteAttachment = endpoint({
  method: 'DELETE',
  path: '/attachments/{attachment_id}',
  summary: "Delete one of the caller's uploaded files",
  auth: 'user',
  parameters: { attachment_id: pathId() },
  result: z.strictObject({}),
  errors: [],
  async handler({ log, services, uploads }, { call }, { attachment_id: attachmentId }) {
    const attachment = await services.messages.getAttachment(call, { attachmentId });
    try {
      // The bytes first: a file without a row nobody would ever delete.
      await deleteUpload(uploads.store, attachment.pathId);
    } catch (error) {
      log.error({ err: error, pathId: attachment.pathId, requestId: call.requestId }, 'a file could not be deleted');
      throw new BadRequestError('An error occurred while deleting the attachment. Please try again later.');
    }
    await services.messages.deleteAttachment(call, { attachmentId });
    return {};
  },
});

import type { Attachment } from '../proto';
import { publicAttachment } from '../wire';
import { declareEvent } from './declare-event';

export interface AttachmentChanged {
  ownerId: number;
  attachment: Attachment;
  /** Bytes, of the whole organization. */
  uploadSpaceUsed: number;
}

/** Other messages than before link to a file. Public event `attachment`, op `update`, for its owner. */
export const attachmentChanged = declareEvent<AttachmentChanged>()('attachment.changed', [
  {
    type: 'attachment',
    audience: ({ ownerId }) => ({ to: 'users', userIds: [ownerId] }),
    variant: () => '',
    render: ({ attachment, uploadSpaceUsed }) => ({
      type: 'attachment',
      op: 'update',
      attachment: publicAttachment(attachment),
      upload_space_used: uploadSpaceUsed,
    }),
  },
]);

import type { Attachment } from '../proto';
import { publicAttachment } from '../wire';
import { declareEvent } from './declare-event';

export interface AttachmentAdded {
  ownerId: number;
  attachment: Attachment;
  /** Bytes, of the whole organization. */
  uploadSpaceUsed: number;
}

/** A user has uploaded a file. Public event `attachment`, op `add`, for that user. */
export const attachmentAdded = declareEvent<AttachmentAdded>()('attachment.added', [
  {
    type: 'attachment',
    audience: ({ ownerId }) => ({ to: 'users', userIds: [ownerId] }),
    variant: () => '',
    render: ({ attachment, uploadSpaceUsed }) => ({
      type: 'attachment',
      op: 'add',
      attachment: publicAttachment(attachment),
      upload_space_used: uploadSpaceUsed,
    }),
  },
]);

import { declareEvent } from './declare-event';

export interface AttachmentRemoved {
  ownerId: number;
  attachmentId: number;
  /** Bytes, of the whole organization. */
  uploadSpaceUsed: number;
}

/** A file is gone. Public event `attachment`, op `remove`, for whom it belonged to. */
export const attachmentRemoved = declareEvent<AttachmentRemoved>()('attachment.removed', [
  {
    type: 'attachment',
    audience: ({ ownerId }) => ({ to: 'users', userIds: [ownerId] }),
    variant: () => '',
    render: ({ attachmentId, uploadSpaceUsed }) => ({
      type: 'attachment',
      op: 'remove',
      attachment: { id: attachmentId },
      upload_space_used: uploadSpaceUsed,
    }),
  },
]);

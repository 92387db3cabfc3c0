import type { Attachment } from '../proto';
import { publicAttachment } from '../wire';
import { declareEvent } from './declare-event';

export interface AttachmentAdded {
  ownerId: number;
  attachment: Attachment;
  /** Bytes used by the whole organization. */
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

export interface AttachmentChanged {
  ownerId: number;
  attachment: Attachment;
  /** Bytes used by the whole organization. */
  uploadSpaceUsed: number;
}

/** The messages that link to a file changed. Public event `attachment`, op `update`, for its owner. */
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

export interface AttachmentRemoved {
  ownerId: number;
  attachmentId: number;
  /** Bytes used by the whole organization. */
  uploadSpaceUsed: number;
}

/** A file was deleted. Public event `attachment`, op `remove`, for its owner. */
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

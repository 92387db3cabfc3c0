export { deleteAttachment } from './delete-attachment';
export { getAttachments } from './get-attachments';
export { getTemporaryFileUrl } from './get-temporary-file-url';
export { getThumbnailStatus } from './get-thumbnail-status';
export { uploadFile } from './upload-file';

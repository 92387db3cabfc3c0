import { BadRequestError } from '@parley/shared/errors';
import { publicAttachment } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { pathId, pathRest } from '../http/parameters';
import { accessFile } from '../uploads/access-file';
import { finishUpload } from '../uploads/finish-upload';
import { receiveFile } from '../uploads/receive-file';
import { signToken } from '../uploads/temporary-token';
import { deleteUpload } from '../uploads/upload-store';
import { attachmentSchema } from '../wire/messages';

export const uploadFile = endpoint({
  method: 'POST',
  path: '/user_uploads',
  summary: 'Upload a file, to link to it in messages',
  auth: 'user',
  parameters: {},
  isFileStreamed: true,
  isUncounted: true,
  ownLimitOf: () => 'uploads',
  result: z.strictObject({
    /** Deprecated name of `url`. */
    uri: z.string(),
    url: z.string(),
    filename: z.string(),
  }),
  errors: ['REALM_UPLOAD_QUOTA'],
  async handler(ctx, request) {
    const received = await receiveFile(ctx, request);
    await finishUpload(ctx, request.call, received);
    const url = `/user_uploads/${received.pathId}`;
    return { uri: url, url, filename: received.filename };
  },
});

export const getAttachments = endpoint({
  method: 'GET',
  path: '/attachments',
  summary: "List the caller's uploaded files",
  auth: 'user',
  parameters: {},
  result: z.strictObject({
    attachments: z.array(attachmentSchema),
    /** Bytes used by the whole organization. */
    upload_space_used: z.int(),
  }),
  errors: [],
  async handler({ services }, { call }) {
    const { attachments, uploadSpaceUsed } = await services.messages.listAttachments(call, {});
    return { attachments: attachments.map(publicAttachment), upload_space_used: uploadSpaceUsed };
  },
});

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
      // Bytes first: a file without a row would never be deleted.
      await deleteUpload(uploads.store, attachment.pathId);
    } catch (error) {
      log.error({ err: error, pathId: attachment.pathId, requestId: call.requestId }, 'a file could not be deleted');
      throw new BadRequestError('An error occurred while deleting the attachment. Please try again later.');
    }
    await services.messages.deleteAttachment(call, { attachmentId });
    return {};
  },
});

export const getTemporaryFileUrl = endpoint({
  method: 'GET',
  path: '/user_uploads/{realm_id_str}/{filename}',
  summary: 'Get an address of an uploaded file that is good without credentials, for a minute',
  auth: 'user',
  parameters: { realm_id_str: pathId(), filename: pathRest() },
  result: z.strictObject({ url: z.string() }),
  errors: [],
  async handler({ services, uploads, clock }, { call }, { realm_id_str: realmId, filename }) {
    const file = await accessFile(services.messages, call, `${realmId}/${filename}`);
    const token = signToken(file, uploads.tokenSecret, clock.now());
    const name = encodeURIComponent(file.pathId.slice(file.pathId.lastIndexOf('/') + 1));
    return { url: `/user_uploads/temporary/${token}/${name}` };
  },
});

export const getThumbnailStatus = endpoint({
  method: 'GET',
  path: '/thumbnail/status/{realm_id_str}/{filename}',
  summary: 'Tell whether the thumbnails of an uploaded picture are there',
  auth: 'user',
  isOpenToVisitors: true,
  parameters: { realm_id_str: pathId(), filename: pathRest() },
  result: z.strictObject({ has_thumbnail: z.boolean() }),
  errors: [],
  async handler({ services }, { call }, { realm_id_str: realmId, filename }) {
    const { thumbnails } = await accessFile(services.messages, call, `${realmId}/${filename}`);
    return { has_thumbnail: thumbnails === 'ready' };
  },
});

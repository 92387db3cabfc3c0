import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { finishUpload } from '../../uploads/finish-upload';
import { receiveFile } from '../../uploads/receive-file';

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

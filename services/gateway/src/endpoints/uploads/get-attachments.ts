import { publicAttachment } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { attachmentSchema } from '../../wire/attachment';

export const getAttachments = endpoint({
  method: 'GET',
  path: '/attachments',
  summary: "List the caller's uploaded files",
  auth: 'user',
  parameters: {},
  result: z.strictObject({
    attachments: z.array(attachmentSchema),
    /** Bytes, of the whole organization. */
    upload_space_used: z.int(),
  }),
  errors: [],
  async handler({ services }, { call }) {
    const { attachments, uploadSpaceUsed } = await services.messages.listAttachments(call, {});
    return { attachments: attachments.map(publicAttachment), upload_space_used: uploadSpaceUsed };
  },
});

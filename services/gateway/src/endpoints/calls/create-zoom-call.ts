import { BadRequestError } from '@parley/shared/errors';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';

export const createZoomCall = endpoint({
  method: 'POST',
  path: '/calls/zoom/create',
  summary: 'Make a video call by Zoom, where that is configured',
  auth: 'user',
  parameters: { is_video_call: json(z.boolean().default(true)) },
  result: z.strictObject({ url: z.string() }),
  errors: [],
  async handler() {
    throw new BadRequestError('Zoom credentials have not been configured');
  },
});

import { BadRequestError } from '@parley/shared/errors';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { boundedText, json, text } from '../http/parameters';

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

const MAX_NAME_LENGTH = 256;

export const createBigBlueButtonCall = endpoint({
  method: 'GET',
  path: '/calls/bigbluebutton/create',
  summary: 'Make a video call on a BigBlueButton server, where one is configured',
  auth: 'user',
  parameters: { meeting_name: text(boundedText(MAX_NAME_LENGTH)), voice_only: json(z.boolean().default(false)) },
  result: z.strictObject({ url: z.string() }),
  errors: [],
  async handler() {
    throw new BadRequestError('BigBlueButton is not configured.');
  },
});

import { BadRequestError } from '@parley/shared/errors';
import { z } from 'zod';
import { text } from '../../http/parameters';

const FORGED = ['yes', 'true'];

/** How somebody would send in the name of the users of another chat, and at a time of their own: no account may. */
export const mirroring = {
  parameters: {
    sender: text(z.string().optional().describe('Refused: no account may send in the name of another.')),
    forged: text(z.string().optional().describe('Refused when it is `yes` or `true`.')),
    time: text(z.string().optional().describe('Of a forged message only.')),
  },
  refuse({ sender, forged }: { sender: string | undefined; forged: string | undefined }): void {
    if (forged !== undefined && FORGED.includes(forged)) {
      throw new BadRequestError('User not authorized for this query');
    }
    if (sender !== undefined) throw new BadRequestError('Invalid mirrored message');
  },
};

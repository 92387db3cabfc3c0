import { BadRequestError } from '@parley/shared/errors';
import type { Caller } from '@parley/shared/rpc';
import { z } from 'zod';
import type { Context } from '../../context';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';

const MAX_MESSAGES = 250_000;
const MAX_UPLOAD_BYTES = 10 * 1024 ** 3;

const KINDS = { 1: 'public', 2: 'consented' } as const;

export const createDataExport = endpoint({
  method: 'POST',
  path: '/export/realm',
  summary: 'Have an archive made of the organization; for administrators',
  auth: 'user',
  parameters: {
    export_type: json(
      z
        .union([z.literal(1), z.literal(2)])
        .default(1)
        .describe('1: what is public; 2: that, and the private things of those who have consented.'),
    ),
  },
  result: z.strictObject({ id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler(ctx, { call }, { export_type: type }) {
    // Whoever is no administrator is refused by this, and not told how much there is.
    await ctx.services.realm.listDataExports(call, {});
    await checkSize(ctx, call);
    const { exportId } = await ctx.services.realm.createDataExport(call, { kind: KINDS[type] });
    ctx.dataExports.wake();
    return { id: exportId };
  },
});

/** What is larger takes hours, and a disk that somebody has looked at. */
async function checkSize({ services }: Pick<Context, 'services'>, call: Caller): Promise<void> {
  const { messages, uploadBytes } = await services.messages.getExportSize(call, { maxMessages: MAX_MESSAGES + 1 });
  if (messages <= MAX_MESSAGES && uploadBytes <= MAX_UPLOAD_BYTES) return;
  throw new BadRequestError("Please request a manual export from your server's administrator.");
}

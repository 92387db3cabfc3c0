import { BadRequestError } from '@parley/shared/errors';
import type { Caller } from '@parley/shared/rpc';
import { publicDataExport } from '@parley/shared/wire';
import { z } from 'zod';
import type { Context } from '../context';
import { endpoint } from '../http/endpoint';
import { json, pathId } from '../http/parameters';

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
    // Missing permissions are reported before limits.
    await ctx.services.realm.listDataExports(call, {});
    await checkSize(ctx, call);
    const { exportId } = await ctx.services.realm.createDataExport(call, { kind: KINDS[type] });
    ctx.dataExports.wake();
    return { id: exportId };
  },
});

/** A larger export takes hours and much disk space: the operator has to make it. */
async function checkSize({ services }: Pick<Context, 'services'>, call: Caller): Promise<void> {
  const { messages, uploadBytes } = await services.messages.getExportSize(call, { maxMessages: MAX_MESSAGES + 1 });
  if (messages <= MAX_MESSAGES && uploadBytes <= MAX_UPLOAD_BYTES) return;
  throw new BadRequestError("Please request a manual export from your server's administrator.");
}

const dataExportSchema = z.strictObject({
  id: z.int(),
  acting_user_id: z.int(),
  export_time: z.number().describe('When it was asked for, in seconds.'),
  deleted_timestamp: z.number().nullable(),
  failed_timestamp: z.number().nullable(),
  export_url: z.string().nullable().describe('Where administrators get the archive; null: there is none.'),
  pending: z.boolean().describe('It is being made.'),
  export_type: z.union([z.literal(1), z.literal(2)]).describe('As for POST /export/realm.'),
});

export const getDataExports = endpoint({
  method: 'GET',
  path: '/export/realm',
  summary: 'Get the archives that were made of the organization; for administrators',
  auth: 'user',
  parameters: {},
  result: z.strictObject({ exports: z.array(dataExportSchema) }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }) {
    const { exports } = await services.realm.listDataExports(call, {});
    return { exports: exports.map(publicDataExport) as z.infer<typeof dataExportSchema>[] };
  },
});

export const deleteDataExport = endpoint({
  method: 'DELETE',
  path: '/export/realm/{export_id}',
  summary: 'Delete an archive that was made of the organization; for administrators',
  auth: 'user',
  parameters: { export_id: pathId() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services, dataExports }, { call }, { export_id: exportId }) {
    await services.realm.deleteDataExport(call, { exportId });
    dataExports.wake();
    return {};
  },
});

export const getExportConsents = endpoint({
  method: 'GET',
  path: '/export/realm/consents',
  summary: 'Get who lets administrators have their private things exported; for administrators',
  auth: 'user',
  parameters: {},
  result: z.strictObject({
    export_consents: z.array(z.strictObject({ user_id: z.int(), consented: z.boolean() })),
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }) {
    const { consents } = await services.realm.listExportConsents(call, {});
    return {
      export_consents: consents.map(({ userId, hasConsented }) => ({ user_id: userId, consented: hasConsented })),
    };
  },
});

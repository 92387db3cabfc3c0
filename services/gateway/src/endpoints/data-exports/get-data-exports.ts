import { publicDataExport } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';

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

import { publicProfileField } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { profileFieldSchema } from '../../wire/profile-field';

export const listProfileFields = endpoint({
  method: 'GET',
  path: '/realm/profile_fields',
  summary: 'Get the custom fields of profiles',
  auth: 'user',
  parameters: {},
  result: z.strictObject({ custom_fields: z.array(profileFieldSchema).describe('In their order.') }),
  errors: [],
  async handler({ services }, { call }) {
    const { fields } = await services.realm.listProfileFields(call, {});
    return { custom_fields: fields.map(publicProfileField) };
  },
});

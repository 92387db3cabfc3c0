import { z } from 'zod';
import { bundle } from './bundle';

const key = z.literal('').describe('Always empty: no search for moving pictures is configured.');

/** Keys of services in which clients look for moving pictures. */
export const gifBundle = bundle({
  type: 'giphy',
  fields: { giphy_api_key: key, tenor_api_key: key },
  present: () => ({ giphy_api_key: '' as const, tenor_api_key: '' as const }),
});

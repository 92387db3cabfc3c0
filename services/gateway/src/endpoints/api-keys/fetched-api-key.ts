import type { FetchedApiKey } from '@parley/shared/proto';
import { z } from 'zod';

export const fetchedApiKeySchema = z.strictObject({ api_key: z.string(), email: z.string(), user_id: z.int() });

export function publicFetchedApiKey({ apiKey, deliveryEmail, userId }: FetchedApiKey) {
  return { api_key: apiKey, email: deliveryEmail, user_id: userId };
}

import { z } from 'zod';
import { json } from '../../http/parameters';

/** How users are wanted. */
export const userViewParameters = {
  client_gravatar: json(z.boolean().default(true).describe('No avatar_url where the client can compute it.')),
  include_custom_profile_fields: json(z.boolean().default(false)),
};

import { z } from 'zod';

export const allowedDomainSchema = z.strictObject({ domain: z.string(), allow_subdomains: z.boolean() });

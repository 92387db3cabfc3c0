import { z } from 'zod';

/** The setting of services that hand out addresses for mail, or take it. */
export const mailInSettings = {
  /** Domain of the addresses at which mail becomes messages; absent: there are none. Realm, scheduler and gateway have the same setting. */
  MAIL_IN_DOMAIN: z
    .string()
    .regex(
      /^(?=.{1,180}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]*$/,
      'must be a domain name in lower case',
    )
    .optional(),
};

import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { boundedText, text } from '../../http/parameters';

const MAX_KEY_LENGTH = 100;

/** SPEC-GAP: nothing says how clients other than browsers confirm an address; the page at the mailed link does the same. */
export const confirmEmailChange = endpoint({
  method: 'POST',
  path: '/settings/email/confirm',
  summary: 'Confirm a new e-mail address with the key that was mailed there',
  auth: 'none',
  parameters: { key: text(boundedText(MAX_KEY_LENGTH).describe('The last part of the link.')) },
  result: z.strictObject({ email: z.string().describe('What the real address is from now on.') }),
  errors: ['USER_DEACTIVATED', 'REALM_DEACTIVATED', 'NONEXISTENT_SUBDOMAIN'],
  async handler({ services }, { call, subdomain }, { key }) {
    const { newEmail: email } = await services.realm.confirmEmailChange(call, { subdomain, key });
    return { email };
  },
});

import { BadRequestError } from '@parley/shared/errors';

const MAX_LENGTH = 254;
// As browsers check <input type=email>: plain ASCII, and no colon, which would end the name in HTTP Basic.
const LOCAL_PART = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** The address that a sent text means; its casing is kept. */
export function emailFromInput(text: string): string {
  const email = text.trim();
  const at = email.lastIndexOf('@');
  const labels = email.slice(at + 1).split('.');
  const isAddress =
    email.length <= MAX_LENGTH && LOCAL_PART.test(email.slice(0, at)) && labels.every((label) => LABEL.test(label));
  if (at < 1 || !isAddress) throw new BadRequestError('Enter a valid email address.');
  return email;
}

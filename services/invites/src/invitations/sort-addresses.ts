import type { SkippedAddress } from '@parley/shared/errors';
import type { InviteAddress } from '@parley/shared/proto';

const OBJECTIONS: Readonly<Record<string, string>> = {
  invalid: 'Invalid address.',
  domain: 'Outside your domain.',
  disposable: 'Please use your real email address.',
  plus: 'Email addresses containing + are not allowed.',
};

const HOLDERS: Readonly<Record<string, string>> = {
  'system-bot': 'Reserved for system bots.',
  active: 'Already has an account.',
  deactivated: 'Account has been deactivated.',
};

export interface SortedAddresses {
  /** One of them, and nobody is invited. */
  invalid: SkippedAddress[];
  /** They have accounts; the others are invited all the same. */
  taken: SkippedAddress[];
  free: string[];
}

/** Who can be invited, and why the others cannot. */
export function sortAddresses(emails: readonly string[], addresses: readonly InviteAddress[]): SortedAddresses {
  const sorted: SortedAddresses = { invalid: [], taken: [], free: [] };
  emails.forEach((email, index) => {
    const { objection, holder } = addresses[index] as InviteAddress;
    const [fault, account] = [OBJECTIONS[objection], HOLDERS[holder]];
    if (fault !== undefined) sorted.invalid.push([email, fault, false]);
    else if (account !== undefined) sorted.taken.push([email, account, holder === 'deactivated']);
    else sorted.free.push(email);
  });
  return sorted;
}

import { BadRequestError, type SkippedAddress } from '@parley/shared/errors';
import type { InviteAddress } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';

/** Repeated ones included; longer lists take too long to parse. */
const MAX_PIECES = 10_000;

/** The distinct addresses of a typed list; `Name <address>` counts as the address. Throws BadRequestError for a list that is too long. */
export function splitAddresses(text: string): string[] {
  const addresses = new Set<string>();
  let count = 0;
  for (const [piece] of text.matchAll(/[^,\n]+/g)) {
    count += 1;
    if (count > MAX_PIECES) {
      throw new BadRequestError(`The list of email addresses is too long (limit: ${MAX_PIECES} entries)`);
    }
    addresses.add(insideBrackets(piece).trim());
  }
  addresses.delete('');
  return [...addresses];
}

function insideBrackets(piece: string): string {
  const [start, end] = [piece.indexOf('<'), piece.lastIndexOf('>')];
  return start >= 0 && end > start ? piece.slice(start + 1, end) : piece;
}

export interface SortedAddresses {
  /** One invalid address refuses the whole request. */
  invalid: SkippedAddress[];
  /** Addresses with accounts are skipped; the others are invited. */
  taken: SkippedAddress[];
  free: string[];
}

/** Sorts addresses into those that can be invited and those that cannot, with the reason. */
export function sortAddresses(emails: readonly string[], addresses: readonly InviteAddress[]): SortedAddresses {
  const sorted: SortedAddresses = { invalid: [], taken: [], free: [] };
  emails.forEach((email, index) => {
    const { objection, holder } = addresses[index] as InviteAddress;
    const [fault, account] = [REFUSAL.objections[objection], REFUSAL.holders[holder]];
    if (fault !== undefined) sorted.invalid.push([email, fault, false]);
    else if (account !== undefined) sorted.taken.push([email, account, holder === 'deactivated']);
    else sorted.free.push(email);
  });
  return sorted;
}

import { BadRequestError } from '@parley/shared/errors';

/** Repeated ones included: what is longer takes long to read. */
const MAX_PIECES = 10_000;

/** The addresses of a list that was typed: of `Name <address>` the address; each once. Throws BadRequestError where it is too long. */
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

/** The addresses of a list that was typed: of `Name <address>` the address; each once. */
export function splitAddresses(text: string): string[] {
  const pieces = text.split(/[,\n]/).map((piece) => insideBrackets(piece).trim());
  return [...new Set(pieces.filter((piece) => piece !== ''))];
}

function insideBrackets(piece: string): string {
  const [start, end] = [piece.indexOf('<'), piece.lastIndexOf('>')];
  return start >= 0 && end > start ? piece.slice(start + 1, end) : piece;
}

/** Comparing takes time by the product of the lengths: what is longer is shown as replaced altogether. */
const MAX_COMPARISONS = 4_000_000;

type Kind = 'same' | 'inserted' | 'deleted';

interface Piece {
  kind: Kind;
  token: string;
}

/** One HTML text with what was inserted into it, and deleted from it, marked. Tags that are gone are left out, text is kept. */
export function diffHtml(before: string, after: string): string {
  const pieces = compare(tokensOf(before), tokensOf(after));
  let html = '';
  let run = '';
  let runKind: Kind = 'same';
  const flush = () => {
    html += runKind === 'same' || run === '' ? run : `<span class="highlight_text_${runKind}">${run}</span>`;
    run = '';
  };
  for (const { kind, token } of pieces) {
    const isTag = token.startsWith('<');
    if (isTag && kind === 'deleted') continue;
    const shownKind = isTag ? 'same' : kind;
    if (shownKind !== runKind) flush();
    runKind = shownKind;
    run += token;
  }
  flush();
  return `<div>${html}</div>`;
}

function tokensOf(html: string): string[] {
  return html.match(/<[^>]*>|[^<\s]+|\s+/g) ?? [];
}

function compare(before: readonly string[], after: readonly string[]): Piece[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const old = before.slice(start, before.length - end);
  const next = after.slice(start, after.length - end);
  const same = (tokens: readonly string[]) => tokens.map((token) => ({ kind: 'same' as const, token }));
  return [...same(before.slice(0, start)), ...compareMiddle(old, next), ...same(before.slice(before.length - end))];
}

function compareMiddle(old: readonly string[], next: readonly string[]): Piece[] {
  const deleted = (token: string): Piece => ({ kind: 'deleted', token });
  const inserted = (token: string): Piece => ({ kind: 'inserted', token });
  if (old.length * next.length > MAX_COMPARISONS) return [...old.map(deleted), ...next.map(inserted)];
  const width = next.length + 1;
  const lengths = commonLengths(old, next, width);
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < next.length) {
    const [token, other] = [old[i] as string, next[j] as string];
    if (token === other) {
      pieces.push({ kind: 'same', token });
      i += 1;
      j += 1;
    } else if ((lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number)) {
      pieces.push(deleted(token));
      i += 1;
    } else {
      pieces.push(inserted(other));
      j += 1;
    }
  }
  return [...pieces, ...old.slice(i).map(deleted), ...next.slice(j).map(inserted)];
}

/** For each pair of tails the length of the longest sequence that is in both. */
function commonLengths(old: readonly string[], next: readonly string[], width: number): Uint32Array {
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = next.length - 1; j >= 0; j -= 1) {
      const [below, beside, across] = [
        lengths[(i + 1) * width + j],
        lengths[i * width + j + 1],
        lengths[(i + 1) * width + j + 1],
      ];
      lengths[i * width + j] =
        old[i] === next[j] ? (across as number) + 1 : Math.max(below as number, beside as number);
    }
  }
  return lengths;
}

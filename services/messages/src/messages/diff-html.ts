import type { Steps } from '@parley/shared/markdown';

/** The cost is the product of the lengths: limits the comparisons of all edits in one answer. */
const MAX_COMPARISONS = 8_000_000;
/** The limit for one edit. */
const MAX_COMPARISONS_OF_EDIT = 4_000_000;
/** Splitting a text costs about as much, for each part. */
const COMPARISONS_PER_TOKEN = 20;

type Kind = 'same' | 'inserted' | 'deleted';

interface Piece {
  kind: Kind;
  token: string;
}

const TAG = /<[^>]*>/g;

/** Compares texts for one answer, within its budget; later texts are shown as completely replaced. */
export class HtmlDiffs {
  private left = MAX_COMPARISONS;

  /** One HTML text with insertions and deletions marked. Deleted tags are omitted, their text is kept. */
  *diff(before: string, after: string): Steps<string> {
    if (this.left <= 0) return replaced(before, after);
    const [old, next] = [tokensOf(before), tokensOf(after)];
    this.left -= (old.length + next.length) * COMPARISONS_PER_TOKEN;
    return marked(yield* this.compare(old, next));
  }

  private *compare(before: readonly string[], after: readonly string[]): Steps<Piece[]> {
    let start = 0;
    while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
    let end = 0;
    const shorter = Math.min(before.length, after.length) - start;
    while (end < shorter && before.at(-1 - end) === after.at(-1 - end)) end += 1;
    const old = before.slice(start, before.length - end);
    const next = after.slice(start, after.length - end);
    const cost = old.length * next.length;
    const isAffordable = cost <= Math.min(this.left, MAX_COMPARISONS_OF_EDIT);
    if (isAffordable) this.left -= cost;
    const middle = isAffordable ? yield* compareMiddle(old, next) : [...old.map(deleted), ...next.map(inserted)];
    return [...before.slice(0, start).map(same), ...middle, ...before.slice(before.length - end).map(same)];
  }
}

const same = (token: string): Piece => ({ kind: 'same', token });
const deleted = (token: string): Piece => ({ kind: 'deleted', token });
const inserted = (token: string): Piece => ({ kind: 'inserted', token });

function marked(pieces: readonly Piece[]): string {
  let html = '';
  let run = '';
  let runKind: Kind = 'same';
  const flush = () => {
    html += runKind === 'same' || run === '' ? run : mark(runKind, run);
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

function replaced(before: string, after: string): string {
  const gone = before.replace(TAG, '');
  const come = after.replace(/(<[^>]*>)|[^<]+/g, (text, tag) => (tag === undefined ? mark('inserted', text) : tag));
  return `<div>${gone === '' ? '' : mark('deleted', gone)}${come}</div>`;
}

function mark(kind: Kind, html: string): string {
  return `<span class="highlight_text_${kind}">${html}</span>`;
}

function tokensOf(html: string): string[] {
  return html.match(/<[^>]*>|[^<\s]+|\s+/g) ?? [];
}

function* compareMiddle(old: readonly string[], next: readonly string[]): Steps<Piece[]> {
  const width = next.length + 1;
  const lengths = yield* commonLengths(old, next, width);
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < next.length) {
    const [token, other] = [old[i] as string, next[j] as string];
    if (token === other) {
      pieces.push(same(token));
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

/** For each pair of tails the length of the longest common sequence. */
function* commonLengths(old: readonly string[], next: readonly string[], width: number): Steps<Uint16Array> {
  const numbers = new Map<string, number>();
  const [oldNumbers, nextNumbers] = [numbered(old, numbers), numbered(next, numbers)];
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    yield;
    const number = oldNumbers[i];
    const [row, below] = [i * width, (i + 1) * width];
    for (let j = next.length - 1; j >= 0; j -= 1) {
      const isSame = number === nextNumbers[j];
      const [down, beside] = [lengths[below + j] as number, lengths[row + j + 1] as number];
      lengths[row + j] = isSame ? (lengths[below + j + 1] as number) + 1 : down > beside ? down : beside;
    }
  }
  return lengths;
}

/** Numbers are compared faster than strings. */
function numbered(tokens: readonly string[], numbers: Map<string, number>): Uint32Array {
  const result = new Uint32Array(tokens.length);
  for (const [at, token] of tokens.entries()) {
    const number = numbers.get(token) ?? numbers.size;
    numbers.set(token, number);
    result[at] = number;
  }
  return result;
}

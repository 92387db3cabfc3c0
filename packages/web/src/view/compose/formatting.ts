import { isInFence } from './trigger';

/** A text with a selection, or with the cursor where start and end are the same. */
export interface Selected {
  text: string;
  start: number;
  end: number;
}

/** A replacement of a part of the text, and the selection after it, counted from its beginning. */
export interface Replacement {
  from: number;
  to: number;
  insert: string;
  select: readonly [number, number];
}

export type Format =
  | 'bold'
  | 'italic'
  | 'strike'
  | 'link'
  | 'code'
  | 'quote'
  | 'list'
  | 'numbered'
  | 'spoiler'
  | 'math'
  | 'poll';

/** Words that the person replaces. */
export interface Placeholders {
  url: string;
  title: string;
  question: string;
  option: string;
}

const FENCE = '```';

const MARKS: Partial<Record<Format, string>> = { bold: '**', italic: '*', strike: '~~' };

export function format(kind: Format, selected: Selected, words: Placeholders): Replacement {
  const mark = MARKS[kind];
  if (mark) return wrap(selected, mark);
  const chosen = selected.text.slice(selected.start, selected.end);
  switch (kind) {
    case 'code':
      return chosen.includes('\n') ? fence(selected, '') : wrap(selected, '`');
    case 'math':
      return chosen.includes('\n') ? fence(selected, 'math') : wrap(selected, '$$');
    case 'quote':
      return fence(selected, 'quote');
    case 'spoiler':
      return fence(selected, 'spoiler', words.title);
    case 'link':
      return link(selected, chosen, words.url);
    case 'poll':
      return poll(selected, words);
    default:
      return lines(selected, (line, at) => (kind === 'list' ? `* ${line}` : `${at + 1}. ${line}`));
  }
}

/** A second time takes the marks away. */
function wrap({ text, start, end }: Selected, mark: string): Replacement {
  const size = mark.length;
  const inner = text.slice(start, end);
  const isWithin = text.slice(start - size, start) === mark && text.slice(end, end + size) === mark;
  // One star of two is none of its own.
  const isOfTwo = mark === '*' && text.slice(start - 2, start) === '**' && text.slice(start - 3, start) !== '***';
  if (isWithin && !isOfTwo) return { from: start - size, to: end + size, insert: inner, select: [0, inner.length] };
  return { from: start, to: end, insert: mark + inner + mark, select: [size, size + inner.length] };
}

/** A block on lines of its own. A title is selected, otherwise what is within. */
function fence({ text, start, end }: Selected, kind: string, title = ''): Replacement {
  const inner = text.slice(start, end);
  const before = start === 0 || text[start - 1] === '\n' ? '' : '\n';
  const after = end === text.length || text[end] === '\n' ? '' : '\n';
  const head = `${before}${FENCE}${kind}${title && ' '}`;
  const first = head.length + title.length + 1;
  const select = title
    ? ([head.length, head.length + title.length] as const)
    : ([first, first + inner.length] as const);
  return { from: start, to: end, insert: `${head}${title}\n${inner}\n${FENCE}${after}`, select };
}

/**
 * A key that completes a closing fence where the next line is one already, put there with the block's language: it is typed over.
 * Null: the key means itself.
 */
export function typeOverFence(key: string, { text, start, end }: Selected): Replacement | null {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const closing = `\n${FENCE}`;
  const isTyped = start === end && text.slice(from, start) + key === FENCE;
  const isClosedNext = /^(\n|$)/.test(text.slice(end + closing.length)) && text.startsWith(closing, end);
  if (!isTyped || !isClosedNext || !isInFence(text.slice(0, from))) return null;
  return { from, to: end + closing.length, insert: FENCE, select: [FENCE.length, FENCE.length] };
}

function link({ start, end }: Selected, chosen: string, url: string): Replacement {
  const isAddress = /^https?:\/\/\S+$/.test(chosen);
  const [label, address] = isAddress ? [url, chosen] : [chosen, 'https://'];
  const insert = `[${label}](${address})`;
  const select = isAddress || chosen === '' ? [1, 1 + label.length] : [label.length + 3, insert.length - 1];
  return { from: start, to: end, insert, select: select as [number, number] };
}

/** A poll is a whole message. */
function poll({ text }: Selected, { question, option }: Placeholders): Replacement {
  const insert = `/poll ${question}\n${option} 1\n${option} 2${text.trim() && `\n${text.trim()}`}`;
  return { from: 0, to: text.length, insert, select: [6, 6 + question.length] };
}

function lines({ text, start, end }: Selected, change: (line: string, at: number) => string): Replacement {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const insert = text.slice(from, end).split('\n').map(change).join('\n');
  return { from, to: end, insert, select: [insert.length, insert.length] };
}

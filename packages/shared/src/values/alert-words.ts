/** An alert word of a user, and the time when it was added. */
export interface AlertWord {
  word: string;
  addedAtMs: number;
}

const [LINE_START, LINE_END] = ['(?<![^\\n])', '(?![^\\n])'];
/** Longer fences are treated alike. */
const LONGEST_FENCE = 8;

/**
 * From a fence of this many characters to one of at least that length. Each length is a separate pattern, because a back
 * reference can keep PostgreSQL busy for seconds.
 */
function fenced(mark: string, length: number): string {
  const fence = `${mark}{${length}}`;
  const opening = length < LONGEST_FENCE ? `${fence}(?!${mark})` : fence;
  return `${opening}[^\\n]*\\n(?:.*?\\n)?? {0,3}${fence}`;
}

const FENCED = [3, 4, 5, 6, 7, LONGEST_FENCE].flatMap((length) => [fenced('`', length), fenced('~', length)]);

/**
 * The parts of the rule, for SQL. The patterns mean the same in PostgreSQL and in JavaScript, where `.` has to match line breaks.
 *
 * NOTE: the first `?` makes PostgreSQL look for the shortest match of the whole.
 */
export const ALERT_WORD_RULE = {
  /** A word must be at an end of the text, or between one of these characters and one of those. */
  before: ' \n("\'.,;[*`>',
  after: " \n)?:.,';]!*`",
  closedCode: `${LINE_START} {0,3}?(?:${FENCED.join('|')})[\`~]* *${LINE_END}`,
  openCode: `${LINE_START} {0,3}(?:\`{3,}|~{3,}).*`,
};

const CODE = new RegExp(`${ALERT_WORD_RULE.closedCode}|${ALERT_WORD_RULE.openCode}`, 'gs');

/**
 * Whether a message, without its code blocks, contains one of the alert words that its reader had by then. For several readers the
 * text is prepared once. Ignores case. Used for reading and for delivering messages.
 */
export function alertFinder(content: string, sentAtMs: number): (words: readonly AlertWord[]) => boolean {
  let text: string | undefined;
  return (words) => {
    const chosen = words.filter(({ addedAtMs }) => addedAtMs <= sentAtMs);
    if (chosen.length === 0) return false;
    text ??= alertText(content);
    return chosen.some(({ word }) => stands(foldCase(word), text as string));
  };
}

/** The text of a message in which alert words are looked for, in normalized case: without its code blocks. */
export function alertText(content: string): string {
  return foldCase(content).replace(CODE, '\n');
}

/** Normalizes case for comparisons. Some letters have two lower-case forms, or become longer in lower case. */
export function foldCase(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
}

/** As a separate word. */
function stands(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    const isBegun = at === 0 || ALERT_WORD_RULE.before.includes(text.charAt(at - 1));
    if (isBegun && (end === text.length || ALERT_WORD_RULE.after.includes(text.charAt(end)))) return true;
  }
  return false;
}

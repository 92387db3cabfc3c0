/** A word that a user wants to be alerted to, and since when. */
export interface AlertWord {
  word: string;
  addedAtMs: number;
}

const [LINE_START, LINE_END] = ['(?<![^\\n])', '(?![^\\n])'];
/** Longer fences are alike. */
const LONGEST_FENCE = 8;

/**
 * From a fence of that many of a character to one that is as long at least. Each length by itself: a pattern that refers back to what it
 * has found can keep PostgreSQL busy for seconds.
 */
function fenced(mark: string, length: number): string {
  const fence = `${mark}{${length}}`;
  const opening = length < LONGEST_FENCE ? `${fence}(?!${mark})` : fence;
  return `${opening}[^\\n]*\\n(?:.*?\\n)?? {0,3}${fence}`;
}

const FENCED = [3, 4, 5, 6, 7, LONGEST_FENCE].flatMap((length) => [fenced('`', length), fenced('~', length)]);

/**
 * The parts of the rule, for SQL. The patterns mean the same to PostgreSQL and to JavaScript, where `.` has to match line breaks.
 *
 * NOTE: the first `?` makes PostgreSQL look for the shortest match of the whole.
 */
export const ALERT_WORD_RULE = {
  /** A word stands by itself at an end of the text, or between one of these characters and one of those. */
  before: ' \n("\'.,;[*`>',
  after: " \n)?:.,';]!*`",
  closedCode: `${LINE_START} {0,3}?(?:${FENCED.join('|')})[\`~]* *${LINE_END}`,
  openCode: `${LINE_START} {0,3}(?:\`{3,}|~{3,}).*`,
};

const CODE = new RegExp(`${ALERT_WORD_RULE.closedCode}|${ALERT_WORD_RULE.openCode}`, 'gs');

/**
 * Whether a message, code blocks left out, has one of the words that its reader had chosen by then: asked of one reader after
 * another, the text is prepared once. Case does not matter. Used where messages are read, and where they are delivered.
 */
export function alertFinder(content: string, sentAtMs: number): (words: readonly AlertWord[]) => boolean {
  let text: string | undefined;
  return (words) => {
    const chosen = words.filter(({ addedAtMs }) => addedAtMs <= sentAtMs);
    if (chosen.length === 0) return false;
    text ??= foldCase(content).replace(CODE, '\n');
    return chosen.some(({ word }) => stands(foldCase(word), text as string));
  };
}

/** Case does not matter: the form in which texts are compared. Some letters have two small forms, or grow when they become small. */
export function foldCase(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
}

/** By itself, not within another word. */
function stands(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    const isBegun = at === 0 || ALERT_WORD_RULE.before.includes(text.charAt(at - 1));
    if (isBegun && (end === text.length || ALERT_WORD_RULE.after.includes(text.charAt(end)))) return true;
  }
  return false;
}

/** A word that a user wants to be alerted to, and since when. */
export interface AlertWord {
  word: string;
  addedAtMs: number;
}

const BEFORE = ' \n("\'.,;[*`>';
const AFTER = " \n)?:.,';]!*`";
const FENCED_BLOCK =
  /^[ ]{0,3}(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?\n)??[ ]{0,3}\1[`~]*[ ]*$|^[ ]{0,3}(?:`{3,}|~{3,})[^\n]*[\s\S]*/gm;

/** Whether a message, code blocks left out, has one of the words that its reader had chosen by then. Case does not matter. */
export function hasAlertWord(
  { content, sentAtMs }: { content: string; sentAtMs: number },
  words: readonly AlertWord[],
): boolean {
  const chosen = words.filter(({ addedAtMs }) => addedAtMs <= sentAtMs);
  if (chosen.length === 0) return false;
  const text = content.toLowerCase().replace(FENCED_BLOCK, '\n');
  return chosen.some(({ word }) => stands(word.toLowerCase(), text));
}

/** By itself, not within another word. */
function stands(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    const isBegun = at === 0 || BEFORE.includes(text.charAt(at - 1));
    if (isBegun && (end === text.length || AFTER.includes(text.charAt(end)))) return true;
  }
  return false;
}

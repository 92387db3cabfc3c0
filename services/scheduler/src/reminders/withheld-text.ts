const SENTENCE = 'You requested a reminder for a message that you may not read any more.';

/** The text of a reminder without anything of its message: its reader's own note is what is left of it. */
export function withheldText(content: string): string {
  const [opening = '', ...lines] = content.split('\n');
  // Whatever the message was, its place is in the first line, which ends with this only when a note follows.
  if (!opening.endsWith(' Note:')) return SENTENCE;
  const end = lines.findIndex((line) => !line.startsWith('> '));
  const note = end === -1 ? lines : lines.slice(0, end);
  return [`${SENTENCE} Note:`, ...note].join('\n');
}

/** Words of a name or an address are not meant. */
const LEFT_OUT = 'a, .user-mention, .user-group-mention, .katex';

/** Marks the person's alert words in the rendered content. */
export function markAlertWords(content: DocumentFragment, words: readonly string[]): void {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const parts = splitAtWords(text.data, words);
    if (parts.length === 1 || text.parentElement?.closest(LEFT_OUT)) continue;
    text.replaceWith(...parts.map((part, at) => (at % 2 === 0 ? part : marked(part))));
  }
}

function marked(word: string): HTMLElement {
  const mark = document.createElement('span');
  mark.className = 'highlight';
  mark.textContent = word;
  return mark;
}

/** The text in parts, of which every second one is one of these words. */
export function splitAtWords(text: string, words: readonly string[]): string[] {
  if (words.length === 0) return [text];
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const choices = longestFirst.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  return text.split(new RegExp(`(?<![\\p{L}\\p{N}_])(${choices})(?![\\p{L}\\p{N}_])`, 'giu'));
}

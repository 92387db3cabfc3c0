const tabStop = 4;

/** One kind of newline, no tabs, no lines of spaces, none of the characters that mark a stashed block. */
export function normaliseSource(content: string): string {
  const text = content.replace(/\r\n?/g, '\n').replaceAll('\u0002', '').replaceAll('\u0003', '');
  return expandTabs(text).replace(/(?<=\n) +(?=\n)/g, '');
}

function expandTabs(text: string): string {
  if (!text.includes('\t')) return text;
  return text.split('\n').map(expandTabsOfLine).join('\n');
}

function expandTabsOfLine(line: string): string {
  let expanded = '';
  for (const piece of line.split(/(\t)/)) {
    expanded += piece === '\t' ? ' '.repeat(tabStop - (expanded.length % tabStop)) : piece;
  }
  return expanded;
}

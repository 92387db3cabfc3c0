/** The content between two fences. The lines of a quote and of a spoiler may contain further fences. */
export type Fenced =
  | { kind: 'code'; language: string; lines: string[] }
  | { kind: 'math'; lines: string[] }
  | { kind: 'quote'; children: FencedLine[] }
  | { kind: 'spoiler'; header: string; children: FencedLine[] };

export type FencedLine = string | Fenced;

interface OpenFence {
  fence: string;
  content: Fenced;
}

const opening = /^(?<fence>~{3,}|`{3,}) *(?:\{?\.?(?<language>[a-zA-Z0-9_+,\-./#]+) *(?<header>[^ ~`][^~`]*)?\}?)?$/;

/** Quotes and spoilers nested deeper than this are code. */
const maxDepth = 20;

/** Separates plain lines from fenced ones. A fence without an end extends to the end of the text. */
export function readFences(lines: string[], defaultLanguage: string): FencedLine[] {
  const top: FencedLine[] = [];
  const open: OpenFence[] = [];
  for (const line of lines) {
    const innermost = open.at(-1);
    if (innermost && line.trimEnd() === innermost.fence) open.pop();
    else if (innermost && 'lines' in innermost.content) innermost.content.lines.push(line.trimEnd());
    else addLine(line, innermost ? childrenOf(innermost.content) : top, open, defaultLanguage);
  }
  return top;
}

function addLine(line: string, target: FencedLine[], open: OpenFence[], defaultLanguage: string): void {
  const match = /^[~`]/.test(line) ? opening.exec(line) : null;
  if (!match) {
    target.push(line);
    return;
  }
  const { fence = '', language = '', header = '' } = match.groups ?? {};
  const content = beginFence(language || defaultLanguage, header, open.length);
  target.push(content);
  open.push({ fence, content });
}

function beginFence(language: string, header: string, depth: number): Fenced {
  const kind = depth < maxDepth ? language.toLowerCase() : '';
  if (kind === 'quote' || kind === 'quoted') return { kind: 'quote', children: [] };
  if (kind === 'spoiler') return { kind: 'spoiler', header, children: [] };
  return kind === 'math' ? { kind: 'math', lines: [] } : { kind: 'code', language, lines: [] };
}

function childrenOf(content: Fenced): FencedLine[] {
  return 'children' in content ? content.children : [];
}

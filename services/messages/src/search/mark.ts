/** Half-open, in UTF-16 units. */
export interface Span {
  from: number;
  to: number;
}

/** The text with the spans highlighted; those that touch one another are one. */
export function mark(text: string, spans: readonly Span[]): string {
  let marked = '';
  let end = 0;
  for (const { from, to } of joined(spans)) {
    marked += `${text.slice(end, from)}<span class="highlight">${text.slice(from, to)}</span>`;
    end = to;
  }
  return marked + text.slice(end);
}

function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && span.from < last.to) last.to = Math.max(last.to, span.to);
    else result.push({ ...span });
  }
  return result;
}

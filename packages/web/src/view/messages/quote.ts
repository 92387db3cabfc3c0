/** As all clients of this API quote, so that each of them shows it as a quote. */
export function quoteOf(sender: { name: string; userId: number }, link: string, said: string, content: string): string {
  const fence = fenceAround(content);
  return `@_**${sender.name}|${sender.userId}** [${said}](${link}):\n${fence}quote\n${content}\n${fence}\n`;
}

/** A fence that is longer than any in the text. */
function fenceAround(content: string): string {
  const longest = Math.max(0, ...(content.match(/^ {0,3}`{3,}/gm) ?? []).map((fence) => fence.trim().length));
  return '`'.repeat(Math.max(3, longest + 1));
}

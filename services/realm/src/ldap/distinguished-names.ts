/** Equal for names of the same entry: servers write them with other cases, spaces and escapes. */
export function dnKey(dn: string): string {
  return dn
    .replace(/(?:\\[0-9a-f]{2})+/gi, (run) => escaped(Buffer.from(run.replaceAll('\\', ''), 'hex').toString('utf8')))
    .replace(/ *(?<!\\)([,+=]) */g, '$1')
    .trim()
    .toLowerCase();
}

function escaped(text: string): string {
  return text.replace(/[,+"\\<>;=#]/g, '\\$&');
}

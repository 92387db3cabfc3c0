const MAX_LENGTH = 4_000;

/** The header Upload-Metadata: names, each with a value in base64. What cannot be read is left out. */
export function parseMetadata(header = ''): Record<string, string> {
  const pairs = header
    .slice(0, MAX_LENGTH)
    .split(',')
    .map((pair) => pair.trim().split(' '))
    .map(([name = '', value = '']) => [name, Buffer.from(value, 'base64').toString()]);
  return Object.fromEntries(pairs);
}

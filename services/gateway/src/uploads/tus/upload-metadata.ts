const MAX_LENGTH = 4_000;

/** Parses the header Upload-Metadata: names, each with a value in base64. Invalid ones are dropped. */
export function parseMetadata(header = ''): Record<string, string> {
  const pairs = header
    .slice(0, MAX_LENGTH)
    .split(',')
    .map((pair) => pair.trim().split(' '))
    .map(([name = '', value = '']) => [name, Buffer.from(value, 'base64').toString()]);
  return Object.fromEntries(pairs);
}

/** The header for some metadata, in a form that parseMetadata() reads. */
export function formatMetadata(metadata: Readonly<Record<string, string>>): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

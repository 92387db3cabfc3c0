/** The kinds of profile fields, as the API numbers them. */
export const FIELD_KINDS = {
  short: 1,
  long: 2,
  choice: 3,
  date: 4,
  link: 5,
  people: 6,
  account: 7,
  pronouns: 8,
} as const;

/** The choices of a field, in order. */
export function choicesOf(fieldData: string): [value: string, text: string][] {
  const data = parse(fieldData) as Record<string, { text: string; order: string }>;
  return Object.entries(data)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([value, { text }]) => [value, text]);
}

/** The administrators' text, one choice a line; existing choices keep their values. */
export function fieldDataOf(lines: string, former = ''): Record<string, { text: string; order: string }> {
  const known = new Map(choicesOf(former).map(([value, text]) => [text, value]));
  const used = new Set(known.values());
  let last = 0;
  const fresh = () => {
    while (used.has(String(last))) last += 1;
    used.add(String(last));
    return String(last);
  };
  const texts = [...new Set(lines.split('\n').map((line) => line.trim()))].filter((text) => text !== '');
  return Object.fromEntries(texts.map((text, at) => [known.get(text) ?? fresh(), { text, order: String(at + 1) }]));
}

/** The ids of a field of people. */
export function peopleOf(value: string): number[] {
  const ids: unknown = value === '' ? [] : JSON.parse(value);
  return Array.isArray(ids) ? ids.filter(Number.isSafeInteger) : [];
}

function parse(fieldData: string): Record<string, unknown> {
  return fieldData === '' ? {} : JSON.parse(fieldData);
}

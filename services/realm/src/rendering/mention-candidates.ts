/** A parsed mention: `Name`, `Name|id` or `|id`. */
interface MentionCandidate {
  name: string;
  /** Null: without an id. */
  id: number | null;
}

const NAME_AND_ID = /^(.*)\|(\d{1,15})$/s;

export function parseMention(text: string): MentionCandidate {
  const [, name, id] = NAME_AND_ID.exec(text) ?? [];
  return name === undefined ? { name: text, id: null } : { name, id: Number(id) };
}

/** The mentions of a text that notify, as written. */
export interface Mentions {
  /** By id where it is written, otherwise by name. */
  people: readonly (number | string)[];
  everybody: boolean;
  channels: readonly string[];
}

const EVERYBODY = new Set(['all', 'everyone', 'channel', 'stream']);
const CODE = /(?<fence>^(?:`{3,}|~{3,}))[^\n]*\n[\s\S]*?(?:\n\k<fence>|$(?![\s\S]))|`[^`\n]*`/gm;

/** Code and silent mentions are left out. */
export function mentionsIn(text: string): Mentions {
  const plain = text.replace(CODE, (code) => (/^(?:`{3,}|~{3,}) ?(?:spoiler)/.test(code) ? code : ' '));
  const named = [...plain.matchAll(/(?<![^\s'"({[/<])@\*\*([^*\n]+)\*\*/g)].map(([, name]) => name as string);
  const people = named.filter((name) => !EVERYBODY.has(name) && name !== 'topic').map(referenceOf);
  const channels = [...plain.matchAll(/#\*\*([^*>\n]+)(?:>[^*\n]*)?\*\*/g)].map(([, name]) => name as string);
  return {
    people: [...new Set(people)],
    everybody: named.some((name) => EVERYBODY.has(name)),
    channels: [...new Set(channels)],
  };
}

function referenceOf(name: string): number | string {
  const [, id] = /\|(\d+)$/.exec(name) ?? [];
  return id === undefined ? name : Number(id);
}

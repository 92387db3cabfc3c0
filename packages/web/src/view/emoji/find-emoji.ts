import type { Emoji } from './emoji';

/** An emoji with all of its names; the first is the one that is written. */
export interface Entry extends Emoji {
  names: readonly string[];
  /** Its characters; empty for pictures. */
  text: string;
  /** The address of its picture. */
  image?: string;
}

/** Entries that a word is in: those of which a name begins with it come first, and short names before long ones. */
export function findEmoji(
  entries: readonly Entry[],
  word: string,
  most: number,
  used: readonly string[] = [],
): Entry[] {
  const wanted = word
    .toLowerCase()
    .trim()
    .replace(/[\s-]+/g, '_');
  const found: { entry: Entry; score: number }[] = [];
  for (const entry of entries) {
    const score = scoreOf(entry, wanted);
    if (score < 0) continue;
    const at = used.indexOf(keyOf(entry));
    found.push({ entry, score: at < 0 ? score : score - 50 + at });
  }
  return found
    .sort((a, b) => a.score - b.score)
    .slice(0, most)
    .map(({ entry }) => entry);
}

function scoreOf({ names }: Entry, wanted: string): number {
  let best = -1;
  for (const name of names) {
    const at = name.indexOf(wanted);
    if (at < 0) continue;
    const kind = name === wanted ? 0 : at === 0 ? 100 : name[at - 1] === '_' ? 200 : 300;
    const score = kind + name.length;
    if (best < 0 || score < best) best = score;
  }
  return best;
}

export const keyOf = ({ reaction_type, emoji_code }: Emoji) => `${reaction_type}/${emoji_code}`;

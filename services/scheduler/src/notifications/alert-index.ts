import { ALERT_WORD_RULE, alertText, foldCase } from '@parley/shared/values';

interface OwnedWord {
  userId: number;
  word: string;
  addedAtMs: number;
}

/** Longer prefixes would not tell words apart much better. */
const PREFIX_LENGTH = 3;

/** The alert words of an organization, by which a message finds the people: its cost does not grow with the number of words. */
export class AlertIndex {
  readonly #owners = new Map<string, OwnedWord[]>();
  /** The lengths of the words with a prefix; a shorter word is its own prefix. */
  readonly #lengths = new Map<string, number[]>();
  #wordCount = 0;

  constructor(words: readonly OwnedWord[]) {
    for (const owned of words) {
      const word = foldCase(owned.word);
      const owners = this.#owners.get(word);
      if (owners) owners.push(owned);
      else this.#add(word, [owned]);
    }
    this.#wordCount = words.length;
  }

  #add(word: string, owners: OwnedWord[]): void {
    this.#owners.set(word, owners);
    const prefix = word.slice(0, PREFIX_LENGTH);
    const lengths = this.#lengths.get(prefix) ?? [];
    if (!lengths.includes(word.length)) this.#lengths.set(prefix, [...lengths, word.length]);
  }

  /** Approximate memory. */
  get bytes(): number {
    return 200 + 150 * this.#wordCount;
  }

  /** An index in which these users have these words, and all others the same. */
  replaced(userIds: readonly number[], words: readonly OwnedWord[]): AlertIndex {
    const changed = new Set(userIds);
    const index = new AlertIndex(words);
    for (const [word, owners] of this.#owners) {
      const kept = owners.some(({ userId }) => changed.has(userId))
        ? owners.filter(({ userId }) => !changed.has(userId))
        : owners;
      if (kept.length === 0) continue;
      const added = index.#owners.get(word);
      if (added) index.#owners.set(word, added.concat(kept));
      else index.#add(word, kept);
      index.#wordCount += kept.length;
    }
    return index;
  }

  /** The users with an alert word in the message that they had by then; the rule of alertFinder(). */
  find(content: string, sentAtMs: number): Set<number> {
    const userIds = new Set<number>();
    if (this.#owners.size === 0) return userIds;
    const text = alertText(content);
    for (let at = 0; at < text.length; at += 1) {
      if (at > 0 && !ALERT_WORD_RULE.before.includes(text.charAt(at - 1))) continue;
      for (const { userId, addedAtMs } of this.#ownersAt(text, at)) if (addedAtMs <= sentAtMs) userIds.add(userId);
    }
    return userIds;
  }

  *#ownersAt(text: string, at: number): Iterable<OwnedWord> {
    for (let size = 1; size <= PREFIX_LENGTH; size += 1) {
      for (const length of this.#lengths.get(text.slice(at, at + size)) ?? []) {
        const end = at + length;
        const isEnded = end === text.length || ALERT_WORD_RULE.after.includes(text.charAt(end));
        if (isEnded) yield* this.#owners.get(text.slice(at, end)) ?? [];
      }
    }
  }
}

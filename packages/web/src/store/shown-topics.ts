import type { Topic } from './topics';

export interface TopicFacts {
  isUnread(topic: string): boolean;
  isMuted(topic: string): boolean;
  isHere(topic: string): boolean;
}

const FEW = 5;
const MOST = 12;

/** Which of a channel's topics are shown before "more topics": the newest, those with unread messages, and where one is. */
export function shownTopics(topics: readonly Topic[], facts: TopicFacts): { shown: Topic[]; moreCount: number } {
  const heard = topics.filter(({ name }) => facts.isHere(name) || !facts.isMuted(name));
  const newest = new Set(heard.slice(0, FEW));
  const unread = heard.filter(({ name }) => facts.isUnread(name)).slice(0, MOST - FEW);
  const wanted = new Set([...newest, ...unread]);
  const shown = heard.filter((each) => wanted.has(each) || facts.isHere(each.name));
  return { shown, moreCount: topics.length - shown.length };
}

/** The searched text begins any word of the topic. */
export function matches(name: string, words: string): boolean {
  return matcherOf(words)(name);
}

/** The same for many names: of most of them one look is enough. */
export function matcherOf(text: string): (name: string) => boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return (name) => {
    const lower = name.toLowerCase();
    if (!words.every((word) => lower.includes(word))) return false;
    const [whole, apart] = [` ${lower}`, ` ${lower.replace(/[-_/.:]+/g, ' ')}`];
    return words.every((word) => apart.includes(` ${word}`) || whole.includes(` ${word}`));
  };
}

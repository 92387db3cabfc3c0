import type { MarkdownFacts, TopicLink } from './facts';
import { findBareUrl } from './links/bare-url';
import { findLinkifierMatches } from './links/linkify';
import { safeHref } from './links/safe-href';
import { RenderBudget } from './render-budget';

interface PlacedLink extends TopicLink {
  start: number;
  end: number;
}

/**
 * The links that clients offer beside a topic: linkifiers in their order, then addresses; where matches overlap, the first takes
 * precedence.
 */
export function topicLinks(topic: string, facts: Pick<MarkdownFacts, 'linkifiers'>): TopicLink[] {
  const links: PlacedLink[] = [];
  for (const candidate of [...linkified(topic, facts.linkifiers), ...addresses(topic)]) {
    const isFree = links.every((link) => candidate.end <= link.start || candidate.start >= link.end);
    if (isFree) links.push(candidate);
  }
  return links.sort((a, b) => a.start - b.start).map(({ text, url }) => ({ text, url }));
}

function linkified(topic: string, linkifiers: MarkdownFacts['linkifiers']): PlacedLink[] {
  const budget = new RenderBudget();
  return linkifiers.flatMap((linkifier) =>
    findLinkifierMatches(linkifier, topic, budget).flatMap(({ start, end, url: expanded }) => {
      const url = safeHref(expanded);
      return url === null ? [] : [{ start, end, url, text: topic.slice(start, end) }];
    }),
  );
}

/** Unlike in a message, an address without a scheme gets `https`. */
function addresses(topic: string): PlacedLink[] {
  return [...topic.matchAll(/[^\s!;),'"]+/g)].flatMap(({ 0: word, index }) => {
    const found = findBareUrl(word);
    const url = found && safeHref(/^[a-z]+:|@/.test(found.url) ? found.url : `https://${found.url}`);
    if (!found || !url) return [];
    const start = index + found.start;
    return [{ text: found.url, url, start, end: start + found.url.length }];
  });
}

import { normaliseSource } from './blocks/parse-document';
import type { References } from './facts';
import { findUploadPaths } from './previews/upload-path';

const maxReferences = 1000;

/**
 * A cheap search for everything that the content may mention or link to, without duplicates, before the caller loads it. It may
 * find too much (code is not excluded), never too little, up to the limit.
 */
export function findReferences(content: string): References {
  const references: References = {
    userNames: [],
    groupNames: [],
    channelNames: [],
    emojiNames: [],
    topics: [],
    uploadPathIds: [],
  };
  references.uploadPathIds = findUploadPaths(content);
  references.emojiNames = findNames(content, /:([\p{L}\p{N}_\-+]+)(?=:)/gu);
  if (!/[@#]_?\*/.test(content)) return references;
  const source = normaliseSource(content);
  references.userNames = findNames(source, /@_?\*\*([^*]+)\*\*/g);
  references.groupNames = findNames(source, /@_?\*([^*]+)\*/g);
  const links = findNames(source, /#\*\*([^*]+)\*\*/g);
  references.channelNames = [...new Set(links.flatMap((link) => [link, ...channelPartOf(link)]))].slice(
    0,
    maxReferences,
  );
  references.topics = links.flatMap(topicPartOf);
  return references;
}

function findNames(source: string, pattern: RegExp): string[] {
  const names = new Set<string>();
  for (const [, name = ''] of source.matchAll(pattern)) {
    if (names.size >= maxReferences) break;
    names.add(name);
  }
  return [...names];
}

function channelPartOf(link: string): string[] {
  return link.includes('>') ? [link.slice(0, link.indexOf('>'))] : [];
}

function topicPartOf(link: string): References['topics'] {
  const [channelName] = channelPartOf(link);
  return channelName === undefined ? [] : [{ channelName, topic: link.slice(channelName.length + 1) }];
}

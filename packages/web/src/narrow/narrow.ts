/** What a view shows. */
export type Narrow =
  | { kind: 'inbox' }
  | { kind: 'feed' }
  | { kind: 'mentions' }
  | { kind: 'starred' }
  | { kind: 'channel'; channelId: number }
  | { kind: 'topic'; channelId: number; topic: string }
  | { kind: 'direct'; userIds: readonly number[] }
  | { kind: 'search'; words: string }
  | { kind: UnsentKind };

/** Lists of one's own messages that are not sent yet; their addresses are their names. */
export const UNSENT_KINDS = ['drafts', 'scheduled', 'reminders'] as const;
export type UnsentKind = (typeof UNSENT_KINDS)[number];

export function isUnsent(narrow: Narrow): narrow is { kind: UnsentKind } {
  return UNSENT_KINDS.some((kind) => kind === narrow.kind);
}

/** A narrow, and the message at which it is opened. */
export interface Place {
  narrow: Narrow;
  nearId?: number;
}

export interface Term {
  operator: string;
  operand: unknown;
  negated?: boolean;
}

/** The narrow as the API takes it. */
export function termsOf(narrow: Narrow): Term[] {
  switch (narrow.kind) {
    case 'inbox':
    case 'feed':
    case 'drafts':
    case 'scheduled':
    case 'reminders':
      return [];
    case 'mentions':
      return [{ operator: 'is', operand: 'mentioned' }];
    case 'starred':
      return [{ operator: 'is', operand: 'starred' }];
    case 'channel':
      return [{ operator: 'channel', operand: narrow.channelId }];
    case 'topic':
      return [
        { operator: 'channel', operand: narrow.channelId },
        { operator: 'topic', operand: narrow.topic },
      ];
    case 'direct':
      return [{ operator: 'dm', operand: narrow.userIds }];
    case 'search':
      return searchTerms(narrow.words);
  }
}

const OPERATOR = /^(-?)(channel|channels|topic|sender|dm|dm-including|is|has|near|id|stream):(.+)$/;

/** `from:`-like words of a search become terms; the others are looked for in the text. */
function searchTerms(words: string): Term[] {
  const terms: Term[] = [];
  const text: string[] = [];
  for (const word of words.match(/-?[a-z-]+:"[^"]*"|"[^"]*"|\S+/g) ?? []) {
    const [, minus, operator, operand] = OPERATOR.exec(word) ?? [];
    if (operator === undefined || operand === undefined) text.push(word);
    else terms.push({ operator, operand: operand.replace(/^"(.*)"$/, '$1'), ...(minus && { negated: true }) });
  }
  return text.length > 0 ? [...terms, { operator: 'search', operand: text.join(' ') }] : terms;
}

/** As addresses of messages name channels: `5-general`. The name is for people; only the id counts. */
export type ChannelName = (channelId: number) => string;

/** The address of a place, as messages link to it. */
export function hashOf({ narrow, nearId }: Place, channelName: ChannelName): string {
  const near = nearId === undefined ? '' : `/near/${nearId}`;
  switch (narrow.kind) {
    case 'inbox':
      return '#inbox';
    case 'feed':
      return nearId === undefined ? '#feed' : `#narrow${near}`;
    case 'mentions':
      return `#narrow/is/mentioned${near}`;
    case 'starred':
      return `#narrow/is/starred${near}`;
    case 'channel':
      return `#narrow/channel/${channelSlug(narrow.channelId, channelName)}${near}`;
    case 'topic':
      return `#narrow/channel/${channelSlug(narrow.channelId, channelName)}/topic/${encode(narrow.topic)}${near}`;
    case 'direct':
      return `#narrow/dm/${narrow.userIds.join(',')}${near}`;
    case 'search':
      return `#narrow/search/${encode(narrow.words)}${near}`;
    case 'drafts':
    case 'scheduled':
    case 'reminders':
      return `#${narrow.kind}`;
  }
}

function channelSlug(channelId: number, channelName: ChannelName): string {
  return `${channelId}-${encode(channelName(channelId).replace(/\s+/g, '-'))}`;
}

/** The place at an address; null: it names none. */
export function placeAt(hash: string): Place | null {
  const [root = '', ...parts] = hash.replace(/^#/, '').split('/');
  if (root === '' || root === 'inbox') return { narrow: { kind: 'inbox' } };
  if (root === 'feed') return { narrow: { kind: 'feed' } };
  const unsent = UNSENT_KINDS.find((each) => each === root);
  if (unsent) return { narrow: { kind: unsent } };
  if (root !== 'narrow') return null;
  const terms = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) terms.set(parts[at] as string, decode(parts[at + 1] as string));
  const narrow = narrowOf(terms);
  if (!narrow) return null;
  const near = Number(terms.get('near') ?? terms.get('with') ?? Number.NaN);
  return Number.isSafeInteger(near) ? { narrow, nearId: near } : { narrow };
}

function narrowOf(terms: ReadonlyMap<string, string>): Narrow | null {
  const channel = terms.get('channel') ?? terms.get('stream');
  const [topic, people, words, is] = [
    terms.get('topic') ?? terms.get('subject'),
    terms.get('dm') ?? terms.get('pm-with'),
    terms.get('search'),
    terms.get('is'),
  ];
  if (channel !== undefined) {
    const channelId = Number.parseInt(channel, 10);
    if (!Number.isSafeInteger(channelId)) return null;
    return topic === undefined ? { kind: 'channel', channelId } : { kind: 'topic', channelId, topic };
  }
  if (people !== undefined) {
    const userIds = people.split('-', 1)[0]?.split(',').map(Number) ?? [];
    return userIds.every(Number.isSafeInteger) ? { kind: 'direct', userIds } : null;
  }
  if (words !== undefined) return { kind: 'search', words };
  if (is === 'mentioned') return { kind: 'mentions' };
  if (is === 'starred') return { kind: 'starred' };
  return terms.has('near') ? { kind: 'feed' } : null;
}

/** Percent signs would be encoded once more by some programs that pass addresses on, so addresses have dots instead. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[.%()!'*~]/g, (sign) =>
    sign === '%' ? '.' : `.${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\./g, '%'));
  } catch {
    return text;
  }
}

/** Two narrows are the same view. */
export function isSameNarrow(a: Narrow, b: Narrow): boolean {
  return JSON.stringify(fold(a)) === JSON.stringify(fold(b));
}

function fold(narrow: Narrow): Narrow {
  if (narrow.kind === 'topic') return { ...narrow, topic: narrow.topic.toLowerCase() };
  return narrow.kind === 'direct' ? { ...narrow, userIds: [...narrow.userIds].sort((a, b) => a - b) } : narrow;
}

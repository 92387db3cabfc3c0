import type { Term } from './terms';

export type { Term } from './terms';

/** The messages that a view shows. */
export type Narrow =
  | { kind: 'inbox' }
  | { kind: 'recent' }
  | { kind: 'feed' }
  | { kind: 'mentions' }
  | { kind: 'starred' }
  | { kind: 'channel'; channelId: number }
  | { kind: 'topic'; channelId: number; topic: string }
  | { kind: 'direct'; userIds: readonly number[] }
  /** Any other combination of terms. */
  | { kind: 'search'; terms: readonly Term[] }
  | { kind: UnsentKind }
  /** Channels to find, to make and to change: `#channels/5/members`. */
  | { kind: 'channels'; path: readonly string[] }
  /** `#settings/profile`, `#organization/people`, `#groups/12`. */
  | { kind: 'settings'; area: SettingsArea; path: readonly string[] };

/** One's own settings, those of the organization, and groups: addresses begin with them. */
export const SETTINGS_AREAS = ['settings', 'organization', 'groups'] as const;
export type SettingsArea = (typeof SETTINGS_AREAS)[number];

/** Lists of one's own messages that are not sent yet; their addresses are their names. */
export const UNSENT_KINDS = ['drafts', 'scheduled', 'reminders'] as const;
export type UnsentKind = (typeof UNSENT_KINDS)[number];

export function isUnsent(narrow: Narrow): narrow is { kind: UnsentKind } {
  return UNSENT_KINDS.some((kind) => kind === narrow.kind);
}

/** Pages that have nothing to do with messages. */
export function isPage(narrow: Narrow): boolean {
  return narrow.kind === 'channels' || narrow.kind === 'settings';
}

/** Views that show messages; the others show lists of conversations or of what is not sent yet, or are pages. */
export function hasMessages(narrow: Narrow): boolean {
  return !isPage(narrow) && !isUnsent(narrow) && narrow.kind !== 'inbox' && narrow.kind !== 'recent';
}

/** A conversation: where messages are written. */
export type Conversation = Extract<Narrow, { kind: 'topic' | 'direct' }>;

/** A narrow, and the message at which it is opened. */
export interface Place {
  narrow: Narrow;
  nearId?: number;
  /** A message of the conversation, which counts if the conversation has another name now. */
  withId?: number;
}

/** The narrow as the API takes it. */
export function termsOf(narrow: Narrow): Term[] {
  switch (narrow.kind) {
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
      return [...narrow.terms];
    default:
      return [];
  }
}

/** The view of terms: one of those with a name, or a search. */
export function narrowOfTerms(terms: readonly Term[]): Narrow {
  const [first, second] = terms;
  if (!first) return { kind: 'feed' };
  if (terms.some(({ negated }) => negated)) return { kind: 'search', terms };
  const named = second ? topicOf(terms) : narrowOfTerm(first);
  return named ?? { kind: 'search', terms };
}

function topicOf(terms: readonly Term[]): Narrow | null {
  const channel = terms.find(({ operator }) => operator === 'channel')?.operand;
  const topic = terms.find(({ operator }) => operator === 'topic')?.operand;
  if (terms.length !== 2 || typeof channel !== 'number' || typeof topic !== 'string') return null;
  return { kind: 'topic', channelId: channel, topic };
}

function narrowOfTerm({ operator, operand }: Term): Narrow | null {
  if (operator === 'channel' && typeof operand === 'number') return { kind: 'channel', channelId: operand };
  if (operator === 'dm' && typeof operand === 'object') return { kind: 'direct', userIds: operand };
  if (operator !== 'is') return null;
  if (operand === 'mentioned') return { kind: 'mentions' };
  return operand === 'starred' ? { kind: 'starred' } : null;
}

/** The place of terms: `near` and `with` say where it is opened. */
export function placeOfTerms(terms: readonly Term[]): Place {
  const idOf = (name: string) => {
    const operand = terms.find(({ operator }) => operator === name)?.operand;
    return typeof operand === 'number' && Number.isSafeInteger(operand) ? operand : undefined;
  };
  const [nearId, withId] = [idOf('near'), idOf('with')];
  const narrow = narrowOfTerms(terms.filter(({ operator }) => operator !== 'near' && operator !== 'with'));
  return { narrow, ...(nearId !== undefined && { nearId }), ...(withId !== undefined && { withId }) };
}

/** Two narrows are the same view. */
export function isSameNarrow(a: Narrow, b: Narrow): boolean {
  return a === b || (a.kind === b.kind && narrowKey(a) === narrowKey(b));
}

/** Equal for narrows that are the same view. */
export function narrowKey(narrow: Narrow): string {
  switch (narrow.kind) {
    case 'channel':
      return `channel/${narrow.channelId}`;
    case 'topic':
      return `topic/${narrow.channelId}/${narrow.topic.toLowerCase()}`;
    case 'direct':
      return `direct/${[...narrow.userIds].sort((a, b) => a - b).join()}`;
    case 'search':
      return `search/${JSON.stringify(narrow.terms)}`;
    case 'channels':
      return `channels/${narrow.path.join('/')}`;
    case 'settings':
      return [narrow.area, ...narrow.path].join('/');
    default:
      return narrow.kind;
  }
}

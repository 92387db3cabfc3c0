import { isUnsent, type Narrow, type Place, placeOfTerms, SETTINGS_AREAS, termsOf, UNSENT_KINDS } from './narrow';
import { operatorNamed, type Term, termOf } from './terms';

/** As addresses of messages name channels: `5-general`. The name is for people; only the id counts. */
export type ChannelName = (channelId: number) => string;

const NAMED: Readonly<Record<string, Narrow>> = {
  '': { kind: 'inbox' },
  inbox: { kind: 'inbox' },
  recent: { kind: 'recent' },
  feed: { kind: 'feed' },
  all_messages: { kind: 'feed' },
  ...Object.fromEntries(UNSENT_KINDS.map((kind) => [kind, { kind }])),
};

/** The address of a place, as messages link to it. */
export function hashOf({ narrow, nearId, withId }: Place, channelName: ChannelName): string {
  const isNamed = isUnsent(narrow) || ['inbox', 'recent', 'feed'].includes(narrow.kind);
  const at = `${nearId === undefined ? '' : `/near/${nearId}`}${withId === undefined ? '' : `/with/${withId}`}`;
  if (isNamed && at === '') return `#${narrow.kind}`;
  if (narrow.kind === 'channels') return `#channels/${narrow.path.map(encodeURIComponent).join('/')}`;
  if (narrow.kind === 'settings') return `#${[narrow.area, ...narrow.path.map(encodeURIComponent)].join('/')}`;
  const parts = termsOf(narrow).map(
    ({ operator, operand, negated }) =>
      `/${negated ? '-' : ''}${operator}/${operandIn(operator, operand, channelName)}`,
  );
  return `#narrow${parts.join('')}${at}`;
}

function operandIn(operator: string, operand: Term['operand'], channelName: ChannelName): string {
  if (operator === 'channel' && typeof operand === 'number')
    return `${operand}-${encode(channelName(operand).replaceAll(' ', '-'))}`;
  return typeof operand === 'object' ? operand.join(',') : encode(String(operand));
}

/** The place at an address; null: it names none. */
export function placeAt(hash: string): Place | null {
  const [root = '', ...parts] = hash.replace(/^#/, '').split('/');
  const named = Object.hasOwn(NAMED, root) ? NAMED[root] : undefined;
  if (named) return { narrow: named };
  if (root === 'channels') return { narrow: { kind: 'channels', path: parts.map(decode) } };
  const area = SETTINGS_AREAS.find((each) => each === root);
  if (area) return { narrow: { kind: 'settings', area, path: parts.map(decode) } };
  if (root !== 'narrow') return null;
  const terms: Term[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const term = termAt(parts[at] as string, parts[at + 1]);
    if (!term) return null;
    terms.push(term);
  }
  return placeOfTerms(terms);
}

/** Some programs leave the end of an address away that is the empty topic. */
function termAt(written: string, operand = ''): Term | null {
  const isNegated = written.startsWith('-');
  const operator = operatorNamed(isNegated ? written.slice(1) : written);
  return operator === null ? null : termOf(operator, decode(operand), isNegated);
}

/** Percent signs would be encoded once more by some programs that pass addresses on, so addresses have dots instead. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[.%()!'*]/g, (sign) =>
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

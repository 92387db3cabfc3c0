/** A condition on messages, as the API takes it: `{ operator: 'channel', operand: 5 }`. */
export interface Term {
  operator: string;
  operand: string | number | readonly number[];
  negated?: boolean;
}

/** The kind of an operator's operand. */
export type OperandKind = 'channel' | 'person' | 'people' | 'message' | 'choice' | 'text';

export interface Operator {
  kind: OperandKind;
  /** For a choice: what there is to choose from. */
  choices?: readonly string[];
}

/** The operators of the API, by today's names. */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  channel: { kind: 'channel' },
  topic: { kind: 'text' },
  dm: { kind: 'people' },
  'dm-including': { kind: 'person' },
  sender: { kind: 'person' },
  is: {
    kind: 'choice',
    choices: ['unread', 'mentioned', 'starred', 'followed', 'dm', 'resolved', 'alerted', 'muted'],
  },
  has: { kind: 'choice', choices: ['attachment', 'image', 'link', 'reaction'] },
  channels: { kind: 'choice', choices: ['public', 'web-public', 'archived'] },
  mentions: { kind: 'person' },
  near: { kind: 'message' },
  with: { kind: 'message' },
  id: { kind: 'message' },
  in: { kind: 'choice', choices: ['home', 'all'] },
  search: { kind: 'text' },
};

/** Former names, which are in the addresses of old messages. */
const FORMER_OPERATORS: Readonly<Record<string, string>> = {
  stream: 'channel',
  streams: 'channels',
  subject: 'topic',
  from: 'sender',
  'pm-with': 'dm',
  'pm-including': 'dm-including',
  'group-pm-with': 'dm-including',
};

const FORMER_OPERANDS: Readonly<Record<string, string>> = {
  'is:private': 'dm',
  'is:mention': 'mentioned',
  'has:attachments': 'attachment',
  'has:images': 'image',
  'has:links': 'link',
  'has:reactions': 'reaction',
};

/** The operator's name of today; null: there is none such. */
export function operatorNamed(name: string): string | null {
  const operator = FORMER_OPERATORS[name] ?? name;
  return Object.hasOwn(OPERATORS, operator) ? operator : null;
}

/** A term with an operand as it was written; numbers and former words are made what they are today. */
export function termOf(operator: string, written: string, isNegated: boolean): Term {
  return { operator, operand: operandOf(operator, written), ...(isNegated && { negated: true }) };
}

function operandOf(operator: string, written: string): Term['operand'] {
  switch (OPERATORS[operator]?.kind) {
    case 'channel':
    case 'person':
      return leadingId(written) ?? written;
    case 'people':
      return leadingIds(written) ?? written;
    case 'message':
      return /^\d+$/.test(written) ? Number(written) : written;
    default:
      return FORMER_OPERANDS[`${operator}:${written}`] ?? written;
  }
}

/** Whether the operand cannot be what the operator asks for: a name that nobody has, no number, no choice. */
export function isMistaken({ operator, operand }: Term): boolean {
  const { kind, choices } = OPERATORS[operator] ?? { kind: 'text' };
  if (typeof operand !== 'string' || kind === 'text') return false;
  return kind !== 'choice' || !choices?.includes(operand);
}

/** `5-general` is channel 5, whatever its name; `general` is looked up by name. */
function leadingId(written: string): number | null {
  const [, id] = /^(\d+)(?:-.*)?$/s.exec(written) ?? [];
  return id === undefined ? null : Number(id);
}

/** `9,10-group`. */
function leadingIds(written: string): number[] | null {
  const [, ids] = /^(\d+(?:,\d+)*)(?:-.*)?$/s.exec(written) ?? [];
  return ids === undefined ? null : ids.split(',').map(Number);
}

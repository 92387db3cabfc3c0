import { BadRequestError } from '@parley/shared/errors';
import type { GetMessagesRequest, NarrowTerm, QueueNarrowTerm } from '@parley/shared/proto';
import { z } from 'zod';
import { check } from '../http/parameters';

const term = z.object({
  operator: z.string(),
  operand: z.union([z.string(), z.int(), z.array(z.int())]),
  negated: z.boolean().optional(),
});

/** Terms as objects, or as pairs of strings. */
export const narrowSchema = z
  .array(z.union([term, z.tuple([z.string(), z.string()])]))
  .default([])
  .describe('Terms that a message must all meet.');

/** Former names of operators. */
const OPERATORS_TODAY = new Map([
  ['stream', 'channel'],
  ['streams', 'channels'],
  ['pm-with', 'dm'],
  ['pm_with', 'dm'],
  ['group_pm_with', 'group-pm-with'],
]);
const TAKES_ID = new Set(['channel', 'id', 'sender', 'group-pm-with', 'dm-including', 'with', 'mentions']);
const TAKES_IDS = new Set(['dm']);

/** A narrow for messages: current names of operators, operands as sent. */
export function decodeNarrow(name: string, value: unknown): NarrowTerm[] {
  if (!Array.isArray(value)) throw new BadRequestError(`${name} is not a list`);
  return value.map((element, index) => decodeTerm(`${name}[${index}]`, element));
}

function decodeTerm(place: string, element: unknown): NarrowTerm {
  const { operator: sent, operand, negated: isNegated = false } = toObject(place, element);
  if (typeof sent !== 'string') throw new BadRequestError(`${place}["operator"] is not a string`);
  if (typeof isNegated !== 'boolean') throw new BadRequestError(`${place}["negated"] is not a boolean`);
  const operator = OPERATORS_TODAY.get(sent) ?? sent;
  // It matches everything, whatever its operand is.
  if (operator === 'near') return { operator, isNegated, ids: [], isList: false };
  checkOperand(operator, operand);
  const operandToday = operator === 'is' && operand === 'private' ? 'dm' : operand;
  return { operator, isNegated, ...toOperand(operandToday) };
}

function toObject(place: string, element: unknown): { operator: unknown; operand: unknown; negated?: unknown } {
  const refuse = (reason: string) => new BadRequestError(`Invalid ${place}: Value error, ${reason}`);
  if (Array.isArray(element)) {
    const isPair = element.length === 2 && element.every((part) => typeof part === 'string');
    if (!isPair) throw refuse('element is not a string pair');
    return { operator: element[0], operand: element[1] };
  }
  if (typeof element !== 'object' || element === null) throw refuse('dict or list required');
  const { operator, operand, negated } = element as Record<string, unknown>;
  if (operand === undefined || operand === null) throw refuse('operand is missing');
  if (operator === undefined || operator === null) throw refuse('operator is missing');
  return { operator, operand, negated };
}

function checkOperand(operator: string, operand: unknown): void {
  if (typeof operand === 'string') {
    if (operator === 'search' && operand.trim() === '') throw new BadRequestError('operand cannot be blank.');
    return;
  }
  if (TAKES_ID.has(operator)) {
    if (!Number.isSafeInteger(operand)) throw new BadRequestError('operand is not a string or integer');
  } else if (TAKES_IDS.has(operator)) {
    const isListOfIds = Array.isArray(operand) && operand.every(Number.isSafeInteger);
    if (!isListOfIds) throw new BadRequestError('operand is not a string or an integer list');
  } else {
    throw new BadRequestError('operand is not a string');
  }
}

function toOperand(operand: unknown): Pick<NarrowTerm, 'text' | 'id' | 'ids' | 'isList'> {
  if (typeof operand === 'string') return { text: operand, ids: [], isList: false };
  if (typeof operand === 'number') return { id: operand, ids: [], isList: false };
  return { ids: operand as number[], isList: true };
}

type Anchor = Pick<GetMessagesRequest, 'anchor' | 'anchorKind' | 'anchorDateMs'>;

/** ISO 8601: a date, or an instant; without a zone it is UTC. */
const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

const KINDS = ['newest', 'oldest', 'first_unread'];
/** Ids by which clients mean "the end": beyond any message. */
const BEYOND_NEWEST = 10 ** 16;

/** The anchor of a request for messages. Numbers beyond either end of the ids mean that end. */
export function decodeAnchor(anchor: string | undefined, isFirstUnread: boolean, date?: string): Anchor {
  if (isFirstUnread) return { anchorKind: 'first_unread' };
  if (anchor === undefined) throw new BadRequestError("Missing 'anchor' argument.");
  if (KINDS.includes(anchor)) return { anchorKind: anchor };
  if (anchor === 'date') return { anchorKind: 'date', anchorDateMs: decodeDate(date) };
  if (!/^\s*[+-]?\d+\s*$/.test(anchor)) throw new BadRequestError('Invalid anchor');
  const id = Number(anchor);
  if (id <= 0) return { anchorKind: 'oldest' };
  return id >= BEYOND_NEWEST ? { anchorKind: 'newest' } : { anchor: id };
}

function decodeDate(date: string | undefined): number {
  if (date === undefined) throw new BadRequestError("Missing 'anchor_date' argument.");
  const isZoned = /(Z|[+-]\d\d:?\d\d)$/.test(date.slice(10));
  const dateMs = DATE.test(date) ? Date.parse(date.length > 10 && !isZoned ? `${date}Z` : date) : Number.NaN;
  if (Number.isNaN(dateMs)) throw new BadRequestError('Invalid anchor_date');
  return dateMs;
}

/** Whether a narrow searches for words, which costs more than all other terms. */
export function searchLimit({ narrow }: { narrow: readonly NarrowTerm[] }): 'searches' | undefined {
  return narrow.some(({ operator }) => operator === 'search') ? 'searches' : undefined;
}

/** Queues support fewer terms than searches: pairs of texts. */
export const queueNarrowSchema = z
  .array(z.array(z.string()).length(2))
  .max(100)
  .default([])
  .describe('Pairs of operator and operand that `message` events must all meet.');

/** A queue's narrow, with current names. */
export function decodeQueueNarrow(name: string, value: unknown): QueueNarrowTerm[] {
  return check(queueNarrowSchema, name, value).map((pair) => {
    const [operator, operand] = pair as [string, string];
    return {
      operator: operator === 'stream' ? 'channel' : operator,
      operand: operator === 'is' && operand === 'private' ? 'dm' : operand,
    };
  });
}

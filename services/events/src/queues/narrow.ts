import { BadRequestError } from '@parley/shared/errors';
import type { Message } from '@parley/shared/proto';
import { RESOLVED_TOPIC_PREFIX, topicFromInput, topicKey } from '@parley/shared/values';

export interface NarrowTerm {
  operator: string;
  operand: string;
}

/** Whether a message matches a queue's narrow; `flags` are its owner's. */
export type MessageFilter = (message: Message, flags: readonly string[]) => boolean;

/** The filter of a queue's narrow: all terms must match. Throws BadRequestError for terms that queues do not support. */
export function compileNarrow(terms: readonly NarrowTerm[]): MessageFilter {
  const filters = terms.map(compileTerm);
  return (message, flags) => filters.every((filter) => filter(message, flags));
}

function compileTerm({ operator, operand }: NarrowTerm): MessageFilter {
  const compile = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (compile === undefined) throw new BadRequestError(`Operator ${operator} not supported.`);
  return compile(operand);
}

const operators: Record<string, (operand: string) => MessageFilter> = {
  channel: inChannel,
  stream: inChannel,
  topic(operand) {
    const key = topicKey(topicFromInput(operand));
    return (message) => isChannelMessage(message) && topicKey(message.topic) === key;
  },
  sender(operand) {
    const email = operand.toLowerCase();
    return ({ sender }) => sender?.email.toLowerCase() === email;
  },
  is(operand) {
    if (operand === 'followed') throw new BadRequestError(`Operand ${operand} not supported.`);
    // Other operands are ignored: existing clients may send terms that only searches support.
    return (Object.hasOwn(states, operand) && states[operand]) || (() => true);
  },
};

function inChannel(operand: string): MessageFilter {
  const name = operand.toLowerCase();
  return (message) => isChannelMessage(message) && message.channelName.toLowerCase() === name;
}

const states: Record<string, MessageFilter> = {
  dm: (message) => !isChannelMessage(message),
  private: (message) => !isChannelMessage(message),
  starred: (_message, flags) => flags.includes('starred'),
  unread: (_message, flags) => !flags.includes('read'),
  mentioned: (_message, flags) => flags.includes('mentioned'),
  alerted: (_message, flags) => flags.includes('mentioned'),
  resolved: (message) => isChannelMessage(message) && message.topic.startsWith(RESOLVED_TOPIC_PREFIX),
};

function isChannelMessage(message: Message): boolean {
  return message.channelId !== undefined;
}

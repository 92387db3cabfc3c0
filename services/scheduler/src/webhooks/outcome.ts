import { type OutsideAnswer, OutsideError } from '@parley/shared/outside-http';
import type { Reply } from './delivery.sql';
import { DISALLOWED_ADDRESS, exceptionOccurred, gotStatus, NO_CONNECTION, payloadOf, timedOut } from './say-conclusion';
import { SLACK_INTERFACE } from './webhook-request';

/** What came of one call of a bot. */
export type Outcome = { kind: 'nothing' } | { kind: 'reply'; reply: Reply } | Failure;

interface Failure {
  kind: 'failure';
  /** What the bot says where it was called. */
  said: string;
  /** What its owner is told; null: nothing. */
  toOwner: string | null;
  /** For the operator. */
  reason: string;
  /** It may be otherwise the next time. */
  isPassing: boolean;
}

/** Like the answer of a proxy that does not let such requests through. */
const DISALLOWED: Failure = {
  kind: 'failure',
  said: 'Third party responded with 407',
  toOwner: DISALLOWED_ADDRESS,
  reason: 'the address is not allowed',
  isPassing: false,
};

export function outcomeOfAnswer({ status, body }: Pick<OutsideAnswer, 'status' | 'body'>, format: number): Outcome {
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  if (status < 200 || status > 299) return refused(status, text);
  const answer = readAnswer(text, format);
  if (answer.kind !== 'unreadable') return answer;
  const toOwner = `${answer.why}${payloadOf(text)}`;
  return { kind: 'failure', said: answer.why, toOwner, reason: answer.why, isPassing: false };
}

function refused(status: number, text: string): Failure {
  const said = `Third party responded with ${status}`;
  const toOwner = `${gotStatus(status)}${payloadOf(text)}`;
  return { kind: 'failure', said, toOwner, reason: `status ${status}`, isPassing: status >= 500 };
}

/** Asked when there was no answer. Throws what is not the address's fault. */
export function outcomeOfError(error: unknown, { text, timeoutSecs }: { text: string; timeoutSecs: number }): Failure {
  if (!(error instanceof OutsideError)) throw error;
  switch (error.reason) {
    case 'bad-url':
    case 'forbidden-address':
      return DISALLOWED;
    case 'timeout':
      return unavailable(timedOut(timeoutSecs), error.reason);
    case 'no-address':
    case 'no-connection':
      return unavailable(NO_CONNECTION, error.reason);
    case 'too-large':
    case 'too-many-redirects':
      return exception('ResponseTooLarge', 'The response is too large.', text);
  }
}

/** Of calls that nobody lived to see the end of. */
export const GIVEN_UP: Failure = unavailable(NO_CONNECTION, 'given up');

function unavailable(toOwner: string, reason: string): Failure {
  return { kind: 'failure', said: 'Bot is unavailable', toOwner, reason, isPassing: true };
}

function exception(type: string, what: string, text: string): Failure {
  const said = `An exception of type *${type}* occurred for message \`${text}\`! See the Parley server logs for more information.`;
  return { kind: 'failure', said, toOwner: exceptionOccurred(type, what), reason: what, isPassing: false };
}

/** Nothing that is looked at lies deeper than 1. */
const MAX_DEPTH = 64;

type Answer =
  | { kind: 'nothing' }
  | { kind: 'reply'; reply: Reply }
  | { kind: 'unreadable'; why: 'Invalid JSON in response' | 'Invalid response format' };

const NOTHING: Answer = { kind: 'nothing' };
const INVALID_JSON: Answer = { kind: 'unreadable', why: 'Invalid JSON in response' };

/** What a bot says in the body of its answer. Its author may be anybody: whatever the body is, it is one of these. */
export function readAnswer(body: string, format: number): Answer {
  const value = parse(body);
  if (value === undefined) return INVALID_JSON;
  if (value === '') return NOTHING;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: 'unreadable', why: 'Invalid response format' };
  }
  const fields = value as Fields;
  const reply = format === SLACK_INTERFACE ? slackReply(fields) : genericReply(fields);
  return reply === null || reply.content.trim() === '' ? NOTHING : { kind: 'reply', reply };
}

type Fields = Readonly<Record<string, unknown>>;

/** Undefined when it is no JSON. */
function parse(body: string): unknown {
  if (isDeep(body)) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Whether brackets, those in strings left out, are nested deeper than anybody needs. */
function isDeep(body: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < body.length; at += 1) {
    const character = body[at];
    if (isInString && character === '\\') at += 1;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function genericReply(fields: Fields): Reply | null {
  if (fields['response_not_required'] === true) return null;
  // COMPAT: older bots answer with this field.
  const older = textOf(fields['response_string']);
  if (older !== null) return { content: older };
  const content = textOf(fields['content']);
  if (content === null) return null;
  const widget = fields['widget_content'];
  return { content, ...(typeof widget === 'string' && { widgetContent: storable(widget) }) };
}

function slackReply(fields: Fields): Reply | null {
  const content = textOf(fields['text']);
  return content === null ? null : { content };
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return storable(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Halves of characters, and null bytes, which no database takes, become what stands for the unknown. */
function storable(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '\ufffd');
}

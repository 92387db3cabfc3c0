import { type OutsideAnswer, OutsideError } from '@parley/shared/outside-http';
import type { Reply } from './delivery.sql';
import { DISALLOWED_ADDRESS, exceptionOccurred, gotStatus, NO_CONNECTION, payloadOf, timedOut } from './say-conclusion';
import { SLACK_INTERFACE } from './webhook-request';

/** The outcome of one call of a bot. */
export type Outcome = { kind: 'nothing' } | { kind: 'reply'; reply: Reply } | Failure;

interface Failure {
  kind: 'failure';
  /** The bot's reply in the conversation. */
  said: string;
  /** The notice to its owner; null: none. */
  toOwner: string | null;
  /** For the operator. */
  reason: string;
  /** A retry may succeed. */
  isPassing: boolean;
}

/** Like the answer of a proxy that denies such requests. */
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

/** Maps a call's error to its outcome. Rethrows errors that the bot did not cause. */
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

/** For calls whose outcome is lost, e.g. because the replica died. */
export const GIVEN_UP: Failure = unavailable(NO_CONNECTION, 'given up');

function unavailable(toOwner: string, reason: string): Failure {
  return { kind: 'failure', said: 'Bot is unavailable', toOwner, reason, isPassing: true };
}

function exception(type: string, what: string, text: string): Failure {
  const said = `An exception of type *${type}* occurred for message \`${text}\`! See the Parley server logs for more information.`;
  return { kind: 'failure', said, toOwner: exceptionOccurred(type, what), reason: what, isPassing: false };
}

/** Only the first level of nesting is read. */
const MAX_DEPTH = 64;

type WebhookAnswer =
  | { kind: 'nothing' }
  | { kind: 'reply'; reply: Reply }
  | { kind: 'unreadable'; why: 'Invalid JSON in response' | 'Invalid response format' };

const NOTHING: WebhookAnswer = { kind: 'nothing' };
const INVALID_JSON: WebhookAnswer = { kind: 'unreadable', why: 'Invalid JSON in response' };

/** The reply in the body of a bot's answer. The body is untrusted: every body gives one of these results. */
export function readAnswer(body: string, format: number): WebhookAnswer {
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

/** Undefined: not JSON. */
function parse(body: string): unknown {
  if (isDeep(body)) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Whether brackets outside of strings are nested too deeply. */
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

/** Replaces lone surrogates and null bytes, which PostgreSQL rejects, with U+FFFD. */
function storable(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '\ufffd');
}

import type { Reply } from './delivery';
import { SLACK_INTERFACE } from './webhook-request';

/** Nothing that is looked at lies deeper than 1. */
const MAX_DEPTH = 64;

export type Answer =
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

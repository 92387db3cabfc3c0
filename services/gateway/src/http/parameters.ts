import { BadRequestError } from '@parley/shared/errors';
import { codePointLength } from '@parley/shared/values';
import { z } from 'zod';
import { describeIssue } from './describe-issue';
import { parseJson, parseJsonOrText } from './parse-json';

/** One parameter of an endpoint: `Sent` by a client, and the `Value` that its handler gets. */
export interface Parameter<Sent = unknown, Value = unknown> {
  readonly place: 'form' | 'path';
  /** Its encoding in a form: plain, or as JSON text. Plain if it accepts words, see json(). */
  readonly encoding: 'text' | 'json';
  readonly schema: z.ZodType;
  /** A deprecated name of the same parameter. */
  readonly alias: string | undefined;
  readonly isRequired: boolean;
  /** The value if it was not sent. */
  readonly absent: Value;
  /** Throws BadRequestError, naming the parameter `name`. */
  read(name: string, text: string): Value;
  /** For a path parameter: paths with other values do not exist. */
  readonly pattern?: RegExp;
  /** For a path parameter: it may span several segments of the path. */
  readonly isRest?: boolean;
  /** For the compiler only. */
  readonly sent?: Sent;
}

interface OwnReading<Value> {
  /** Replaces the schema's check, for values with their own error texts. */
  read?: (name: string, value: unknown) => Value;
  /** Replaces JSON parsing. */
  readText?: (name: string, text: string) => Value;
}

/**
 * A parameter that is sent as plain text. Optional if its schema accepts undefined. If it has a few possible words, JSON is
 * accepted, too; in other texts quotation marks are part of the text.
 */
export function text<S extends z.ZodType<unknown, string | undefined>>(
  schema: S,
  { alias }: { alias?: string } = {},
): Parameter<z.input<S>, z.output<S>> {
  const isOneOf = isChoice(inputTypes(schema));
  const read = (name: string, value: string) => check(schema, name, isOneOf ? unquoted(value) : value);
  return { ...described<z.output<S>>(schema), alias, place: 'form', encoding: 'text', read };
}

/**
 * A parameter encoded as JSON; the text `null` counts as absent if null is not allowed. If the schema accepts a string, plain
 * text is accepted, too: clients send strings either way.
 */
export function json<S extends z.ZodType>(schema: S): Parameter<z.input<S>, z.output<S>>;
export function json<S extends z.ZodType, Value>(schema: S, reading: OwnReading<Value>): Parameter<z.input<S>, Value>;
export function json<S extends z.ZodType, Value>(
  schema: S,
  { read, readText }: OwnReading<Value> = {},
): Parameter<z.input<S>, Value> {
  const description = described<Value>(schema);
  const isNullNothing = !description.isRequired && !schema.safeParse(null).success;
  const readValue = read ?? ((name, value) => check(schema, name, value) as Value);
  const types = inputTypes(schema);
  const takesText = types.some(({ type }) => type === 'string');
  const isText = types.every(({ type }) => type === 'string');
  const readJson = (name: string, encoded: string) => {
    const value = takesText ? parseJsonOrText(name, encoded) : parseJson(name, encoded);
    if (value === null && isNullNothing) return description.absent;
    // A text such as 123 is JSON, but of a type that the parameter does not have.
    return readValue(name, isText && typeof value !== 'string' ? encoded : value);
  };
  const isWrittenPlain = takesText && types.every(({ type }) => SCALARS.includes(type));
  return { ...description, place: 'form', encoding: isWrittenPlain ? 'text' : 'json', read: readText ?? readJson };
}

const SCALARS: unknown[] = ['string', 'integer', 'number', 'boolean'];

interface InputType {
  type?: unknown;
  enum?: unknown;
  const?: unknown;
}

/** The types of values that a schema accepts. */
function inputTypes(schema: z.ZodType): InputType[] {
  return branchesOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

function branchesOf(schema: z.core.JSONSchema.BaseSchema): InputType[] {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return (branches as z.core.JSONSchema.BaseSchema[]).flatMap(branchesOf);
  return [schema.type].flat().map((type) => ({ ...schema, type }));
}

function isChoice(types: InputType[]): boolean {
  return types.every((type) => type.enum !== undefined || type.const !== undefined);
}

function unquoted(sent: string): string {
  if (!/^".*"$/s.test(sent)) return sent;
  try {
    return JSON.parse(sent) as string;
  } catch {
    return sent;
  }
}

/** An id in the path. */
export function pathId(): Parameter<number, number> {
  const schema = z.int().nonnegative();
  const read = (_name: string, digits: string) => Number(digits);
  return { ...described<number>(schema), place: 'path', encoding: 'text', pattern: /^\d{1,15}$/, read };
}

/** A text in the path, decoded: it may contain slashes. */
export function pathText(pattern = /./s): Parameter<string, string> {
  const schema = z.string();
  return { ...described<string>(schema), place: 'path', encoding: 'text', pattern, read: (_name, sent) => sent };
}

/** All the rest of the path, slashes included. */
export function pathRest(): Parameter<string, string> {
  return { ...pathText(), isRest: true };
}

/** Text of at most `limit` code points. */
export function boundedText(limit: number) {
  return z
    .string()
    .superRefine((value, issues) => {
      if (codePointLength(value) <= limit) return;
      issues.addIssue({ code: 'too_big', origin: 'string', maximum: limit, inclusive: true, input: value });
    })
    .meta({ maxLength: limit });
}

/** An identifier of the client or the server, which is never shown: short, and without control characters. */
export function opaqueText(limit: number) {
  // Uses only syntax of all languages' regular expressions: the pattern is part of the OpenAPI document.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused.
  return boundedText(limit).regex(/^[^\x00-\x1f\x7f-\x9f]*$/);
}

function described<Value>(schema: z.ZodType) {
  const nothing = schema.safeParse(undefined);
  return { schema, alias: undefined, isRequired: !nothing.success, absent: nothing.data as Value };
}

/** The parsed value of a parameter. Throws BadRequestError in the API's words. */
export function check<S extends z.ZodType>(schema: S, name: string, value: unknown): z.output<S> {
  const enough = upToFirstFault(schema, value);
  const checked = schema.safeParse(enough);
  if (checked.success) return checked.data;
  const { error } = schema.safeParse(enough, { reportInput: true });
  throw new BadRequestError(describeIssue(name, error?.issues[0] as z.core.$ZodIssue));
}

/** Shorter lists are checked in one go. */
const LONG_LIST = 100;

/** Checks a long list up to its first invalid item: only the first error is reported, and finding all takes long. */
function upToFirstFault(schema: z.ZodType, value: unknown): unknown {
  if (!Array.isArray(value) || value.length <= LONG_LIST) return value;
  const faults = listsIn(schema).map(({ element }) =>
    value.findIndex((item) => !(element as z.ZodType).safeParse(item).success),
  );
  return faults.length === 0 || faults.includes(-1) ? value : value.slice(0, Math.max(...faults) + 1);
}

function listsIn(schema: z.ZodType): z.ZodArray[] {
  if (schema instanceof z.ZodArray) return [schema];
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(listsIn);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return listsIn(schema.unwrap() as z.ZodType);
  return [];
}

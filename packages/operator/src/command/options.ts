import { z } from 'zod';

/** Every option is one word on the command line; its placeholder stands for it in the help. */
interface Help {
  placeholder: string;
}

const MAX_TEXT_LENGTH = 10_000;

/** Any text; the empty one is the root domain's subdomain. */
export function text(placeholder: string) {
  return z.string().max(MAX_TEXT_LENGTH, `is too long (limit: ${MAX_TEXT_LENGTH} characters)`).meta({ placeholder });
}

/** The name of a file. */
export function file(placeholder: string) {
  return z
    .string()
    .min(1, 'must name a file')
    .max(MAX_TEXT_LENGTH, `is too long (limit: ${MAX_TEXT_LENGTH} characters)`)
    .meta({ placeholder });
}

export function integer(placeholder: string) {
  return digits(placeholder, 999_999_999);
}

/** Of messages, keys and others: a large installation has thousands of millions. */
export function identifier(placeholder: string) {
  return digits(placeholder, Number.MAX_SAFE_INTEGER);
}

function digits(placeholder: string, limit: number) {
  return z
    .string()
    .regex(/^\d+$/, { error: ({ input }) => `must be a number (it is "${input}")` })
    .transform(Number)
    .refine((value) => value <= limit, `is too large (limit: ${limit})`)
    .meta({ placeholder });
}

/** `yes` or `no`. */
export function decision() {
  return z
    .enum(['yes', 'no'], { error: ({ input }) => `must be yes or no (it is "${input}")` })
    .transform((word) => word === 'yes')
    .meta({ placeholder: 'yes|no' });
}

export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z
    .enum(words, { error: ({ input }) => `must be one of ${words.join(', ')} (it is "${input}")` })
    .meta({ placeholder: words.join('|') });
}

/** Words separated by commas; empty: none. */
export function list(placeholder: string) {
  return z
    .string()
    .max(MAX_TEXT_LENGTH, `is too long (limit: ${MAX_TEXT_LENGTH} characters)`)
    .transform((words) => [...new Set(words.split(',').flatMap((word) => word.trim() || []))])
    .meta({ placeholder });
}

/** The organization of a command. */
export const realm = text('SUBDOMAIN');

/** The option's placeholder in the help. */
export function placeholderOf(schema: z.ZodType): string {
  const { placeholder } = (schema.meta() ?? {}) as Partial<Help>;
  if (placeholder !== undefined) return placeholder;
  return placeholderOf((schema as z.ZodOptional<z.ZodType>).unwrap());
}

/** An optional option. */
export function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success;
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The defined fields: a request omits the others. */
export function withoutUndefined<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

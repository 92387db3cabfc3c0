import type { MessageTypeDefinition } from '@grpc/proto-loader';
import { z } from 'zod';
import { loadDefinitions, type ServiceName } from './load';

interface Field {
  name: string;
  label: string;
  type: string;
  typeName: string;
}

interface Descriptor {
  name: string;
  field: Field[];
  nestedType: Descriptor[];
  options: { mapEntry?: boolean } | null;
}

const SCALARS: Partial<Record<string, z.ZodType>> = {
  TYPE_STRING: z.string(),
  TYPE_ENUM: z.string(),
  TYPE_BOOL: z.boolean(),
};

/**
 * The shape of a message as JSON, for statements that build one: `messageShape<Draft>('messages', 'Draft')`. It has the fields of
 * the protocol and of `more`, and no others; absent fields have their default.
 */
export function messageShape<Message>(source: ServiceName, name: string, more: z.ZodRawShape = {}): z.ZodType<Message> {
  return z.lazy(() => shapeOf(source, name).extend(more) as z.ZodType<unknown> as z.ZodType<Message>);
}

function shapeOf(source: ServiceName, name: string): z.ZodObject {
  const definition = loadDefinitions(source)[`parley.v1.${name}`] as MessageTypeDefinition<object, object> | undefined;
  if (!definition) throw new Error(`${source}.proto has no message ${name}`);
  return objectOf(source, definition.type as Descriptor);
}

function objectOf(source: ServiceName, { field, nestedType }: Descriptor): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(field.map((each) => [each.name, fieldShape(source, each, nestedType).optional()])),
  );
}

function fieldShape(source: ServiceName, field: Field, nested: readonly Descriptor[]): z.ZodType {
  const own = nested.find(({ name }) => name === field.typeName);
  const entry = own?.options?.mapEntry ? own.field.find(({ name }) => name === 'value') : undefined;
  if (entry) return z.record(z.string(), fieldShape(source, entry, nested));
  const one = valueShape(source, field, own);
  return field.label === 'LABEL_REPEATED' ? z.array(one) : one;
}

function valueShape(source: ServiceName, { type, typeName }: Field, own: Descriptor | undefined): z.ZodType {
  if (own) return objectOf(source, own);
  if (type === 'TYPE_MESSAGE') return messageShape(source, typeName.replace('.parley.v1.', ''));
  return SCALARS[type] ?? z.number();
}

import { type Field, Type } from 'protobufjs';
import { z } from 'zod';
import { loadRoot, type ServiceName } from './load';

const SCALARS: Partial<Record<string, z.ZodType>> = { string: z.string(), bool: z.boolean() };

/**
 * The shape of a message as JSON, for statements that build one: `messageShape<Draft>('messages', 'Draft')`. It has the fields of
 * the protocol and of `more`, and no others; absent fields have their default.
 */
export function messageShape<Message>(source: ServiceName, name: string, more: z.ZodRawShape = {}): z.ZodType<Message> {
  return z.lazy(() => shapeOf(source, name).extend(more) as z.ZodType<unknown> as z.ZodType<Message>);
}

function shapeOf(source: ServiceName, name: string): z.ZodObject {
  return objectOf(loadRoot(source).lookupType(`parley.v1.${name}`));
}

function objectOf({ fieldsArray }: Type): z.ZodObject {
  return z.strictObject(Object.fromEntries(fieldsArray.map((each) => [each.name, fieldShape(each).optional()])));
}

function fieldShape(field: Field): z.ZodType {
  const one = valueShape(field);
  if (field.map) return z.record(z.string(), one);
  return field.repeated ? z.array(one) : one;
}

function valueShape({ resolvedType: type, type: name }: Field): z.ZodType {
  if (type instanceof Type) return z.lazy(() => objectOf(type));
  return type ? z.string() : (SCALARS[name] ?? z.number());
}

/** JSON Schema, derived from example values. */
export interface PayloadSchema {
  const?: unknown;
  type?: string | string[];
  items?: PayloadSchema;
  properties?: Record<string, PayloadSchema>;
  required?: string[];
  /** For objects whose members are named by ids, addresses or clients. */
  additionalProperties?: PayloadSchema;
}

/** Members whose objects are keyed by what clients call themselves. */
const KEYED_BY_NAME = ['presence'];

/** Schema of one event; its `type` and `op` are constants. */
export function describeEvent(event: Readonly<Record<string, unknown>>): PayloadSchema {
  const schema = describe(event, '');
  const constants = ['type', 'op'].filter((name) => typeof event[name] === 'string');
  const properties = Object.fromEntries(constants.map((name) => [name, { const: event[name] }]));
  return { ...schema, properties: { ...schema.properties, ...properties } };
}

function describe(value: unknown, name: string): PayloadSchema {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return describeList(value);
  if (typeof value === 'object') return describeObject(value as Record<string, unknown>, name);
  return { type: typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value };
}

function describeList(values: readonly unknown[]): PayloadSchema {
  const items = widest(values.map((value) => describe(value, '')));
  return { type: 'array', ...(items && { items }) };
}

function describeObject(members: Record<string, unknown>, name: string): PayloadSchema {
  const names = Object.keys(members);
  const described = Object.entries(members).map(([key, value]) => [key, describe(value, key)] as const);
  const isKeyed = KEYED_BY_NAME.includes(name) || names.every((key) => /^\d+$|@/.test(key));
  if (names.length > 0 && isKeyed) {
    return { type: 'object', additionalProperties: widest(described.map(([, schema]) => schema)) as PayloadSchema };
  }
  return { type: 'object', properties: Object.fromEntries(described), required: names };
}

function widest(schemas: readonly PayloadSchema[]): PayloadSchema | undefined {
  return schemas.length === 0 ? undefined : schemas.reduce(widen);
}

/** A schema that matches what either matches. */
export function widen(one: PayloadSchema, other: PayloadSchema): PayloadSchema {
  if (one.const !== undefined && one.const === other.const) return one;
  const items = widest([one.items, other.items].filter((each) => each !== undefined));
  return {
    ...{ type: typesOf(one, other), ...(items && { items }) },
    ...(isObject(one) && isObject(other) ? widenObject(one, other) : membersOf(isObject(one) ? one : other)),
  };
}

const isObject = ({ type }: PayloadSchema) => [type].flat().includes('object');
const membersOf = ({ properties, required, additionalProperties }: PayloadSchema): PayloadSchema => ({
  ...(properties && { properties }),
  ...(required && { required }),
  ...(additionalProperties && { additionalProperties }),
});

function typesOf(one: PayloadSchema, other: PayloadSchema): string | string[] {
  const types = new Set([one.type ?? 'string', other.type ?? 'string'].flat());
  if (types.has('number')) types.delete('integer');
  return types.size === 1 ? ([...types][0] as string) : [...types].sort();
}

function widenObject(one: PayloadSchema, other: PayloadSchema): PayloadSchema {
  const additionalProperties = widest(
    [one.additionalProperties, other.additionalProperties].filter((each) => each !== undefined),
  );
  const names = [...new Set([one, other].flatMap(({ properties = {} }) => Object.keys(properties)))];
  // An object without members may be a keyed one.
  if (additionalProperties && names.length === 0) return { additionalProperties };
  const properties = names.map((name) => {
    const found = [one.properties?.[name], other.properties?.[name]].filter((each) => each !== undefined);
    return [name, widest(found) as PayloadSchema];
  });
  const required = (one.required ?? []).filter((name) => other.required?.includes(name));
  return {
    ...{ properties: Object.fromEntries(properties), required },
    ...(additionalProperties && { additionalProperties }),
  };
}

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  items?: JsonSchema | false;
  prefixItems?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  description?: string;
  default?: unknown;
}

/** Longer types are not shown in one line. */
const MAX_DEPTH = 3;

/** A schema in one line, as TypeScript writes types. */
export function describeType(schema: JsonSchema, depth = 0): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) as string;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return [...new Set(alternatives.map((each) => describeType(each, depth)))].join(' | ');
  if (schema.allOf) return schema.allOf.map((each) => describeType(each, depth)).join(' & ');
  if (schema.prefixItems) return `[${schema.prefixItems.map((each) => describeType(each, depth)).join(', ')}]`;
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => describeType({ ...schema, type }, depth)).join(' | ');
  }
  if (schema.type === 'array') return describeArray(schema.items || {}, depth);
  if (schema.type === 'object') return describeObject(schema, depth);
  return schema.type ?? 'any';
}

function describeArray(items: JsonSchema, depth: number): string {
  const type = describeType(items, depth);
  return type.includes(' | ') && !type.endsWith('}') ? `(${type})[]` : `${type}[]`;
}

function describeObject({ properties = {}, required = [], additionalProperties }: JsonSchema, depth: number): string {
  const members = Object.entries(properties);
  if (members.length === 0) {
    const value = typeof additionalProperties === 'object' ? describeType(additionalProperties, depth + 1) : 'any';
    return `{ [name]: ${value} }`;
  }
  if (depth >= MAX_DEPTH) return '{ … }';
  const described = members.map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${describeType(schema, depth + 1)}`,
  );
  return `{ ${described.join(', ')} }`;
}

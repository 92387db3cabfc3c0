import { branded, sentNames } from '../http/brands';
import type { JsonSchema } from './describe-type';
import { type ContractOf, EVENT_OBJECTS, type EventObject } from './event-objects';
import payloads from './event-payloads.json';

interface Payload {
  /** Written by hand; the rest is recorded. */
  description: string;
  schema: JsonSchema;
  example: Record<string, unknown>;
}

/** By `type`, or `type/op`. Recorded, like the schemas, by the event tests of dev-env. */
const PAYLOADS = payloads as unknown as Readonly<Record<string, Payload>>;

/** Schemas of the OpenAPI document: `Event`, a union of all following ones, and the objects in them. */
export function eventComponents(contractOf: ContractOf, brands: readonly string[]): Record<string, object> {
  const components: Record<string, object> = {};
  const names = Object.keys(PAYLOADS).sort();
  components['Event'] = { oneOf: names.map((name) => reference(componentName(name))) };
  for (const name of names) {
    const { schema, objects } = withObjects(name, contractOf);
    components[componentName(name)] = describeEvent(name, schema, brands);
    Object.assign(components, objects);
  }
  return components;
}

/** `stream/update` is described by `StreamUpdateEvent`. */
function componentName(name: string): string {
  const words = name.split(/[/_]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function describeEvent(name: string, schema: JsonSchema, brands: readonly string[]): object {
  const { description, example } = PAYLOADS[name] as Payload;
  return {
    description,
    ...schema,
    properties: branded(schema.properties ?? {}, brands),
    required: (schema.required ?? []).flatMap((member) => sentNames(member, brands)),
    examples: [branded(example, brands)],
  };
}

/** An event's schema, in which objects of operations' answers have these operations' types; and those that are components. */
function withObjects(
  name: string,
  contractOf: ContractOf,
): { schema: JsonSchema; objects: Record<string, JsonSchema> } {
  const { schema } = PAYLOADS[name] as Payload;
  const objects: Record<string, JsonSchema> = {};
  let refined = schema;
  for (const object of EVENT_OBJECTS.filter(({ event }) => event === name)) {
    const { member, component } = object;
    if (member === undefined) refined = inner(refined, contractOf(object), undefined, objects);
    else {
      const { [member]: value = {} } = refined.properties ?? {};
      const described = inner(value, contractOf(object), component, objects);
      refined = { ...refined, properties: { ...refined.properties, [member]: described } };
    }
  }
  return { schema: refined, objects };
}

/** The items of a list, the values of objects by id. */
function inner(
  recorded: JsonSchema,
  contract: JsonSchema,
  component: EventObject['component'],
  objects: Record<string, JsonSchema>,
): JsonSchema {
  if (recorded.items) return { ...recorded, items: inner(recorded.items, contract, component, objects) };
  const { additionalProperties: values } = recorded;
  if (typeof values === 'object')
    return { ...recorded, additionalProperties: inner(values, contract, component, objects) };
  const schema = typed(recorded, contract);
  if (component === undefined) return schema;
  objects[component] = schema;
  return reference(component);
}

/** The recording shows which members exist; the contract gives their types, including values that were never recorded. */
function typed(recorded: JsonSchema, { properties: known = {} }: JsonSchema): JsonSchema {
  const members = Object.entries(recorded.properties ?? {});
  const isKnown = ([name, schema]: [string, JsonSchema]) => schema.const === undefined && known[name] !== undefined;
  const properties = members.map((member) => [member[0], isKnown(member) ? known[member[0]] : member[1]]);
  return { ...recorded, properties: Object.fromEntries(properties) };
}

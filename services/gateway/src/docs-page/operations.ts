import { AUTHENTICATION_ERRORS, COMMON_ERRORS, type Endpoint } from '../http/endpoint';
import { describeType, type JsonSchema } from './describe-type';
import { type ErrorExample, errorExamples } from './error-examples';
import { curlLine, type Example, exampleOf } from './example';
import type { EventSection, Field, Operation } from './render-operation';

interface DescribedParameter {
  name: string;
  in: string;
  description?: string;
  required: boolean;
  schema?: JsonSchema;
  content?: Content;
}

/** The part of the document that the page reads. */
interface DescribedOperation {
  operationId: string;
  summary: string;
  tags: [string];
  parameters: DescribedParameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema; encoding: Record<string, unknown> }> };
  responses: Record<string, { content?: Content }>;
}
type Content = Record<string, { schema: JsonSchema }>;

export interface Described {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, JsonSchema & { examples?: [object] }> };
}

/** Operations by their tag, in the order of the document. */
export function operationsByTag(endpoints: readonly Endpoint[], document: Described, brands: readonly string[]) {
  const byTag = new Map<string, Operation[]>();
  for (const endpoint of endpoints) {
    const described = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()] as DescribedOperation;
    const [tag] = described.tags;
    const events = isForEvents(endpoint) ? eventSections(document) : [];
    byTag.set(tag, [...(byTag.get(tag) ?? []), operationOf(endpoint, described, exampleOf(endpoint, brands), events)]);
  }
  return byTag;
}

function operationOf(
  endpoint: Endpoint,
  described: DescribedOperation,
  example: Example | null,
  events: EventSection[],
): Operation {
  const { method, path, summary, auth, errors } = endpoint;
  return {
    ...{ id: described.operationId, method, path, summary, isOpenToAll: auth === 'none' },
    parameters: [...described.parameters.map(fieldOfParameter), ...fieldsOfBody(described)],
    members: fieldsOf(described.responses['200']?.content?.['application/json']?.schema ?? {}),
    events,
    errors: errorsOf(errors.filter((code) => !isCommon(code))),
    curl: example && curlLine(endpoint, example),
    answer: example && answerText(example),
  };
}

const isForEvents = ({ method, path }: Endpoint) => method === 'GET' && path === '/events';

/** Every event by type and op, then the objects that occur in several. */
function eventSections({ components: { schemas } }: Described): EventSection[] {
  const { Event: event, ...others } = schemas;
  const references = new Set(event?.oneOf?.map((each) => describeType(each)));
  const sections = Object.entries(others).map(([component, schema]) => {
    const { type, op } = schema.properties ?? {};
    const isEvent = references.has(component);
    const name = isEvent ? [type, op].flatMap((member) => (member?.const as string) ?? []).join('/') : component;
    const [example] = schema.examples ?? [];
    return { isEvent, name, note: schema.description ?? '', members: fieldsOf(schema), example };
  });
  return sections
    .sort((a, b) => Number(b.isEvent) - Number(a.isEvent) || (a.name < b.name ? -1 : 1))
    .map(({ isEvent, example, ...section }) => ({ ...section, example: example && JSON.stringify(example, null, 2) }));
}

const isCommon = (code: string) => [...COMMON_ERRORS, ...AUTHENTICATION_ERRORS].some((common) => common === code);

/** Errors that every operation may answer. */
export function commonErrors(): ErrorExample[] {
  return errorsOf([...COMMON_ERRORS, ...AUTHENTICATION_ERRORS]);
}

function errorsOf(codes: readonly string[]): ErrorExample[] {
  return codes.flatMap((code) => errorExamples.get(code) ?? []);
}

const PLACES: Record<string, string> = { path: 'in the path', header: 'a header' };

function fieldOfParameter({ name, description, in: place, required, schema, content }: DescribedParameter): Field {
  const inJson = content?.['application/json']?.schema;
  return {
    name,
    schema: { ...(description !== undefined && { description }), ...(inJson ?? schema) },
    isRequired: required,
    place: inJson ? 'JSON' : (PLACES[place] ?? ''),
  };
}

function fieldsOfBody({ requestBody }: DescribedOperation): Field[] {
  const [body] = Object.values(requestBody?.content ?? {});
  if (!body) return [];
  return fieldsOf(body.schema).map((field) => ({ ...field, place: field.name in body.encoding ? 'JSON' : '' }));
}

const OF_EVERY_ANSWER = ['result', 'ignored_parameters_unsupported'];

function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties)
    .filter(([name, schema]) => !OF_EVERY_ANSWER.includes(name) && !(name === 'msg' && schema.const === ''))
    .map(([name, schema]) => ({ name, schema, isRequired: required.includes(name), place: '' }));
}

function answerText({ answer, location }: Example): string {
  return location === undefined ? JSON.stringify(answer, null, 2) : `302 Found\nLocation: ${location}`;
}

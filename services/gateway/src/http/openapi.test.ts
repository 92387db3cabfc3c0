import { endpoints } from '../endpoints';
import { openApiDocument } from './openapi';

interface Operation {
  operationId: string;
  security: unknown[];
  parameters: { name: string; in: string; required: boolean; schema?: object; content?: object }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Form; encoding: Record<string, object> }> };
  responses: Record<string, { description: string; content: Record<string, { schema: Form }> }>;
}
interface Form {
  type: string;
  properties: Record<string, object>;
  required?: string[];
}

const document = JSON.parse(JSON.stringify(openApiDocument(endpoints, ['service', 'acme'])));
const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const schemaOf = (operation: Operation, status: string) =>
  (operation.responses[status] as Operation['responses'][string]).content['application/json']?.schema as Form;
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
      expect(['path', 'query']).toContain(parameter.in);
      expect(parameter.in !== 'path' || parameter.required).toBe(true);
      // Exactly one of the two, as the specification demands.
      expect(Number('schema' in parameter) + Number('content' in parameter)).toBe(1);
    }
    for (const [status, { description }] of Object.entries(operation.responses)) {
      expect(description).not.toBe('');
      const { properties, required = [] } = schemaOf(operation, status);
      for (const name of required) expect(properties).toHaveProperty([name]);
    }
    expect(JSON.stringify(operation)).not.toContain('$ref');
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

  test('names fields as the brands do', () => {
    const { properties } = schemaOf(find('get', '/server_settings'), '200');
    expect(properties).toHaveProperty('acme_version');
    expect(properties).toHaveProperty('service_version');
    expect(JSON.stringify(openApiDocument(endpoints, ['acme']))).not.toContain('service_version');
  });

  test('tells which errors there are, and who must log in', () => {
    const errors = schemaOf(find('post', '/messages'), 'default');
    expect(errors.properties['code']).toEqual({
      enum: expect.arrayContaining(['STREAM_DOES_NOT_EXIST', 'UNAUTHORIZED']),
    });
    expect(find('post', '/messages').security).toEqual([{ apiKey: [] }]);
    expect(find('get', '/server_settings').security).toEqual([]);
  });
});

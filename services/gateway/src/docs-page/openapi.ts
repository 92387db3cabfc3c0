import { LIMITS } from '@parley/shared/values';
import { z } from 'zod';
import { sentNames } from '../http/brands';
import { API_PREFIX, AUTHENTICATION_ERRORS, COMMON_ERRORS, type Endpoint } from '../http/endpoint';
import type { Parameter } from '../http/parameters';
import { JSON_PREFIX } from '../http/sessions';
import type { JsonSchema as DescribedObject } from './describe-type';
import { errorExamples } from './error-examples';
import type { ContractOf } from './event-objects';
import { eventComponents } from './event-payloads';
import { type Example, exampleOf } from './example';
import notes from './parameter-notes.json';
import { WEBHOOK_GUIDE } from './webhook-guide';

type JsonSchema = Record<string, unknown>;

/** The OpenAPI 3.1 document, derived from the declarations of the endpoints. */
export function openApiDocument(endpoints: readonly Endpoint[], brands: readonly string[]): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint, brands) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Parley', version: '1', summary: 'Team chat for large organizations' },
    servers: [
      { url: API_PREFIX, description: 'With an API key.' },
      { url: JSON_PREFIX, description: 'The same for browsers, with the session in their cookie (`session`, `csrf`).' },
    ],
    paths,
    webhooks: { outgoingWebhook: { post: outgoingWebhook() } },
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'basic', description: 'The e-mail address and API key of an account.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-sessionid',
          description: 'The session of a browser, set by /accounts/login; without TLS the cookie is `sessionid`.',
        },
        csrf: {
          type: 'apiKey',
          in: 'header',
          name: 'X-CSRFToken',
          description:
            'The value of the cookie `__Host-csrftoken` (without TLS `csrftoken`): with a session, in requests that change something.',
        },
      },
      schemas: eventComponents(contractIn(endpoints), brands),
      examples: Object.fromEntries([...errorExamples].map(([code, { answer: value }]) => [code, { value }])),
    },
  };
}

/** Finds objects in the answers of operations. */
function contractIn(endpoints: readonly Endpoint[]): ContractOf {
  const schemaOf = (name: string) => {
    const answering = endpoints.find(({ method, path }) => `${method} ${path}` === name);
    return answering ? (toSchema(answering.result, 'output') as DescribedObject) : {};
  };
  const schemas = new Map<string, DescribedObject>();
  return ({ operation: name, answered = '', prefix }) => {
    const schema = schemas.get(name) ?? schemaOf(name);
    schemas.set(name, schema);
    if (prefix !== undefined) return { properties: withoutPrefix(schema.properties ?? {}, prefix) };
    const { items, additionalProperties } = schema.properties?.[answered] ?? {};
    return items || (typeof additionalProperties === 'object' ? additionalProperties : {});
  };
}

function withoutPrefix<T>(members: Record<string, T>, prefix: string): Record<string, T> {
  const named = Object.entries(members).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(named.map(([name, value]) => [name.slice(prefix.length), value]));
}

function operation(endpoint: Endpoint, brands: readonly string[]): JsonSchema {
  const { method, path, summary } = endpoint;
  const named = namedParameters(endpoint, brands);
  const inForm = named.filter(([, { place }]) => place === 'form');
  const hasBodyForm = method === 'POST' || method === 'PUT' || method === 'PATCH';
  const inPathOrQuery = hasBodyForm ? named.filter(([, { place }]) => place === 'path') : named;
  const example = exampleOf(endpoint, brands);
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^a-z]+/g, '-').replace(/-$/, '')}`,
    tags: [path.split('/')[1]],
    summary,
    security: securityOf(endpoint),
    parameters: [...inPathOrQuery.map((parameter) => describeParameter(parameter, example)), ...headersOf(endpoint)],
    ...(endpoint.maxUploadBytes !== undefined || endpoint.isFileStreamed
      ? { requestBody: describeUpload(inForm, example) }
      : hasBodyForm && inForm.length > 0 && { requestBody: describeForm(inForm, example) }),
    responses: {
      ...(example?.location === undefined
        ? { 200: answer('Success', successSchema(endpoint, brands), example && { example: example.answer }) }
        : { 302: redirect(example.location) }),
      default: answer('An error', errorSchema(endpoint), { examples: errorReferences(endpoint) }),
    },
  };
}

/** A key, or a session, with its token for what changes something. */
function securityOf({ auth, method }: Endpoint): JsonSchema[] {
  if (auth !== 'user') return [];
  return [{ apiKey: [] }, { session: [], ...(method !== 'GET' && { csrf: [] }) }];
}

function outgoingWebhook(): JsonSchema {
  const text = { type: 'string' };
  const header = (name: string) => ({ name, in: 'header', required: true, schema: text });
  const properties = {
    message: { type: 'object', properties: { id: { type: 'integer' }, content: text } },
    bot_email: text,
    bot_full_name: text,
    data: text,
    token: text,
    trigger: { enum: ['mention', 'direct_message'] },
  };
  return {
    summary: 'A bot with an outgoing webhook is called',
    description: WEBHOOK_GUIDE,
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header),
    requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
    responses: { 200: { description: 'A JSON object; its `content` is sent as a reply.' } },
  };
}

type NamedParameter = [name: string, parameter: Parameter, schema: JsonSchema];

/** Descriptions of parameters that mean the same in all operations. */
const NOTES: Readonly<Record<string, string>> = notes;

function namedParameters({ parameters }: Endpoint, brands: readonly string[]): NamedParameter[] {
  return Object.entries(parameters).flatMap(([name, parameter]) => {
    const names = parameter.place === 'path' ? [name] : sentNames(name, brands);
    const schema = toSchema(parameter.schema, 'input');
    if (schema['description'] === undefined && NOTES[name] !== undefined) schema['description'] = NOTES[name];
    return names.map((alias): NamedParameter => [alias, parameter, schema]);
  });
}

function describeParameter(
  [name, { place, encoding, isRequired }, schema]: NamedParameter,
  example: Example | null,
): JsonSchema {
  const sent = example?.parameters[name];
  const value = { schema, ...(sent !== undefined && { example: sent }) };
  const isJson = encoding === 'json';
  const form = isJson ? { content: { 'application/json': value } } : value;
  const { description } = schema;
  return { name, in: place === 'path' ? 'path' : 'query', description, required: isRequired, ...form };
}

/** Operations that may answer IDEMPOTENCY_KEY_REUSED accept a key. */
function headersOf({ errors }: Endpoint): JsonSchema[] {
  if (!errors.includes('IDEMPOTENCY_KEY_REUSED')) return [];
  const description =
    'Names the request: whoever repeats it within a day, with the same key and the same parameters, gets the first answer again, and nothing is done twice.';
  const schema = { type: 'string', minLength: 1, maxLength: LIMITS.requestKeyLength };
  return [{ name: 'Idempotency-Key', in: 'header', description, required: false, schema }];
}

/** A file of any name, in addition to the parameters. */
function describeUpload(parameters: NamedParameter[], example: Example | null): JsonSchema {
  const { schema, encoding } = formSchema(parameters);
  const properties = { ...(schema.properties as JsonSchema), file: { type: 'string', format: 'binary' } };
  const form = { schema: { ...schema, properties }, encoding, ...sentIn(parameters, example) };
  return { required: true, content: { 'multipart/form-data': form } };
}

function describeForm(parameters: NamedParameter[], example: Example | null): JsonSchema {
  const { schema, encoding } = formSchema(parameters);
  const required = schema.required !== undefined;
  const form = { schema, encoding, ...sentIn(parameters, example) };
  return { required, content: { 'application/x-www-form-urlencoded': form } };
}

function sentIn(parameters: NamedParameter[], example: Example | null): { example?: JsonSchema } {
  const sent = parameters.filter(([name]) => example?.parameters[name] !== undefined);
  if (sent.length === 0) return {};
  return { example: Object.fromEntries(sent.map(([name]) => [name, example?.parameters[name]])) };
}

function formSchema(parameters: NamedParameter[]): { schema: JsonSchema; encoding: JsonSchema } {
  const required = parameters.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  const schema: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(parameters.map(([name, , schema]) => [name, schema])),
    ...(required.length > 0 && { required }),
  };
  const inJson = parameters.filter(([, { encoding }]) => encoding === 'json');
  const encoding = Object.fromEntries(inJson.map(([name]) => [name, { contentType: 'application/json' }]));
  return { schema, encoding };
}

function answer(description: string, schema: JsonSchema, examples: object | null): JsonSchema {
  return { description, content: { 'application/json': { schema, ...examples } } };
}

function redirect(location: string): JsonSchema {
  return { description: 'Found elsewhere', headers: { Location: { schema: { type: 'string' }, example: location } } };
}

function successSchema({ result }: Endpoint, brands: readonly string[]): JsonSchema {
  const { properties = {}, required = [] } = toSchema(result, 'output') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const named = Object.entries(properties).flatMap(([name, schema]) =>
    sentNames(name, brands).map((alias) => [alias, schema]),
  );
  return {
    type: 'object',
    properties: {
      result: { const: 'success' },
      msg: { const: '' },
      ignored_parameters_unsupported: { type: 'array', items: { type: 'string' } },
      ...Object.fromEntries(named),
    },
    required: ['result', 'msg', ...required.flatMap((name) => sentNames(name, brands))],
  };
}

function errorCodes({ errors, auth }: Endpoint): string[] {
  return [...new Set([...COMMON_ERRORS, ...(auth === 'user' ? AUTHENTICATION_ERRORS : []), ...errors])];
}

function errorReferences(endpoint: Endpoint): JsonSchema {
  const shown = errorCodes(endpoint).filter((code) => errorExamples.has(code));
  return Object.fromEntries(shown.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}

function errorSchema(endpoint: Endpoint): JsonSchema {
  const codes = errorCodes(endpoint);
  return {
    type: 'object',
    properties: { result: { const: 'error' }, msg: { type: 'string' }, code: { enum: codes } },
    required: ['result', 'msg', 'code'],
  };
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

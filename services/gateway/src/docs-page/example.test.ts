import { endpoints } from '../endpoints';
import { parameterDecoder } from '../http/decode-parameters';
import { encodeRequest } from '../http/encode-request';
import type { Endpoint } from '../http/endpoint';
import { errorExamples } from './error-examples';
import { curlLine, type Example, exampleOf, recordedExamples } from './example';

const operations = endpoints.map((endpoint) => ({ endpoint, operation: `${endpoint.method} ${endpoint.path}` }));
const exampleFor = (endpoint: Endpoint) => exampleOf(endpoint, ['service']) as Example;

test('every operation has one example, and nothing else has', () => {
  expect(Object.keys(recordedExamples).sort()).toEqual(operations.map(({ operation }) => operation).sort());
});

describe.each(operations)('the example of $operation', ({ endpoint }) => {
  const { parameters, answer, location } = exampleFor(endpoint);

  test('is a request that the operation reads whole', () => {
    const form = encodeRequest(endpoint, parameters as never).form;
    const inPath = Object.entries(parameters).map(([name, value]) => [name, String(value)]);
    const read = parameterDecoder(endpoint.parameters, ['service'])(new Map(form), Object.fromEntries(inPath));
    expect(read.ignored).toEqual([]);
    expect(Object.keys(parameters).filter((name) => !(name in endpoint.parameters))).toEqual([]);
  });

  test('is an answer that the operation declares, with nothing besides', () => {
    if (location !== undefined) return expect(location).toMatch(/^\//);
    const { result, msg, ...members } = answer as Record<string, unknown>;
    expect(result).toBe('success');
    const declared = 'msg' in endpoint.result.shape ? { msg, ...members } : members;
    expect(endpoint.result.parse(declared)).toEqual(declared);
  });
});

test('every code that an operation declares has an example of an error', () => {
  const codes = new Set(endpoints.flatMap(({ errors }) => errors));
  expect([...codes].filter((code) => !errorExamples.has(code))).toEqual([]);
  for (const [code, { status, answer }] of errorExamples) {
    expect(answer).toMatchObject({ result: 'error', code, msg: expect.stringMatching(/./) });
    expect(status).toBeGreaterThanOrEqual(400);
  }
});

describe('an example as a command line', () => {
  const find = (operation: string) => operations.find((each) => each.operation === operation)?.endpoint as Endpoint;
  const lineOf = (operation: string, example: Example) => curlLine(find(operation), example);

  test('sends the parameters in the body where there is one, quoted for the shell', () => {
    const line = lineOf('POST /messages', { parameters: { type: 'direct', to: [9], content: "it's $HOME" } });
    expect(line.split(' \\\n  ')).toEqual([
      "curl -sS 'https://chat.example.com/api/v1/messages'",
      '-u "$EMAIL:$API_KEY"',
      "--data-urlencode 'type=direct'",
      "--data-urlencode 'to=[9]'",
      `--data-urlencode 'content=it'\\''s $HOME'`,
    ]);
  });

  test.each([
    ['GET /messages', { anchor: 'newest' }, /^curl -sS 'https.*-G.*'anchor=newest'$/s],
    ['DELETE /events', { queue_id: 'q' }, /^curl -sS -X DELETE 'https.*-G.*'queue_id=q'$/s],
    [
      'PATCH /messages/{message_id}',
      { message_id: 5, topic: 'x' },
      /^curl -sS -X PATCH 'https.*\/messages\/5'.*'topic=x'$/s,
    ],
    ['POST /mark_all_as_read', {}, /^curl -sS -X POST 'https/],
    ['GET /server_settings', {}, /^curl -sS 'https.*\/server_settings'$/],
  ])('knows the method: %s', (operation, parameters, expected) => {
    expect(lineOf(operation, { parameters })).toMatch(expected);
  });

  test('brings a file along', () => {
    const line = lineOf('POST /realm/logo', { parameters: { night: true }, file: 'logo.png' });
    expect(line).toContain("/realm/logo?night=true' \\\n");
    expect(line).toMatch(/-F 'file=@logo.png'$/);
  });
});

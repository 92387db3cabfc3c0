import fc from 'fast-check';
import { readAnswer } from './outcome';

const [GENERIC, SLACK] = [1, 2];
const reply = (content: string, more = {}) => ({ kind: 'reply', reply: { content, ...more } });
const nothing = { kind: 'nothing' };
const noJson = { kind: 'unreadable', why: 'Invalid JSON in response' };
const noObject = { kind: 'unreadable', why: 'Invalid response format' };
const nested = (depth: number) => `{"content":${'['.repeat(depth)}${']'.repeat(depth)}}`;

test.each<[string, string, object, object]>([
  ['an empty text', '""', nothing, nothing],
  ['an empty object', '{}', nothing, nothing],
  ['nothing required', '{"response_not_required":true,"content":"x","text":"y"}', nothing, reply('y')],
  ['required after all', '{"response_not_required":false,"content":"x"}', reply('x'), nothing],
  ['the older field first', '{"response_string":"old","content":"new","text":"slack"}', reply('old'), reply('slack')],
  ['a content', '{"content":"x","text":"y"}', reply('x'), reply('y')],
  ['a widget', '{"content":"x","widget_content":"{}"}', reply('x', { widgetContent: '{}' }), nothing],
  ['a widget that is no text', '{"content":"x","widget_content":{}}', reply('x'), nothing],
  ['numbers', '{"content":5,"text":true}', reply('5'), reply('true')],
  ['blank', '{"content":" \\n","text":"\\t"}', nothing, nothing],
  ['an older field that is blank', '{"response_string":" ","content":"x"}', nothing, nothing],
  ['nulls', '{"response_string":null,"content":null,"text":null,"attachments":null}', nothing, nothing],
  ['objects', '{"response_string":{},"content":[],"text":{},"attachments":[null]}', nothing, nothing],
  ['a prototype', '{"__proto__":{"content":"x","text":"y"}}', nothing, nothing],
  ['what no database takes', '{"content":"a\\u0000\\ud800","text":"\\udc00"}', reply('a\ufffd\ufffd'), reply('\ufffd')],
  ['brackets in a text', `{"content":"${'['.repeat(100)}\\"{","text":"x"}`, reply(`${'['.repeat(100)}"{`), reply('x')],
  ['an empty body', '', noJson, noJson],
  ['no JSON', '<html>', noJson, noJson],
  ['half of it', '{"content":"x"', noJson, noJson],
  ['a text', '"x"', noObject, noObject],
  ['a null', 'null', noObject, noObject],
  ['a number', '1', noObject, noObject],
  ['a list', '[]', noObject, noObject],
  ['nested as deep as may be', nested(63), nothing, nothing],
  ['nested deeper', nested(64), noJson, noJson],
  ['nested as deep as there is room', '['.repeat(1_000_000), noJson, noJson],
])('%s', (_what, body, generic, slack) => {
  expect(readAnswer(body, GENERIC)).toEqual(generic);
  expect(readAnswer(body, SLACK)).toEqual(slack);
});

test('every answer is parsed or refused, and a reply is a text', () => {
  const key = fc.constantFrom('content', 'text', 'response_string', 'response_not_required', 'widget_content', 'x');
  const json = fc.oneof(
    fc.json(),
    fc.dictionary(key, fc.jsonValue()).map((value) => JSON.stringify(value)),
  );
  const cut = fc.tuple(json, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)));
  void fc.assert(
    fc.property(fc.oneof(json, cut, fc.string({ unit: 'binary' })), fc.constantFrom(GENERIC, SLACK), (body, format) => {
      const answer = readAnswer(body, format);
      expect(['nothing', 'reply', 'unreadable']).toContain(answer.kind);
      if (answer.kind !== 'reply') return;
      const { content, widgetContent = '' } = answer.reply;
      expect([typeof content, typeof widgetContent]).toEqual(['string', 'string']);
      expect(content.trim()).not.toBe('');
      expect([`${content}${widgetContent}`.includes('\0'), Buffer.from(content).toString()]).toEqual([false, content]);
    }),
  );
});

import { type Format, format, typeOverFence } from './formatting';

const words = { url: 'text', title: 'Title', question: 'Question', option: 'Option' };

/** The selection is between `[[` and `]]`, before and after. */
function formatted(kind: Format, marked: string): string {
  const start = marked.indexOf('[[');
  const text = marked.replace('[[', '').replace(']]', '');
  const end = marked.replace('[[', '').indexOf(']]');
  const { from, to, insert, select } = format(kind, { text, start, end }, words);
  const shown = `${insert.slice(0, select[0])}[[${insert.slice(select[0], select[1])}]]${insert.slice(select[1])}`;
  return text.slice(0, from) + shown + text.slice(to);
}

test.each([
  ['bold', 'so [[good]] it is', 'so **[[good]]** it is'],
  ['bold', 'so **[[good]]** it is', 'so [[good]] it is'],
  ['bold', '[[]]', '**[[]]**'],
  ['italic', '[[x]]', '*[[x]]*'],
  ['italic', '**[[x]]**', '***[[x]]***'],
  ['italic', '***[[x]]***', '**[[x]]**'],
  ['code', 'a [[b]]', 'a `[[b]]`'],
  ['code', 'a [[b\nc]]', 'a \n```\n[[b\nc]]\n```'],
  ['quote', '[[b]]', '```quote\n[[b]]\n```'],
  ['spoiler', '[[b]]', '```spoiler [[Title]]\nb\n```'],
  ['math', '[[x^2]]', '$$[[x^2]]$$'],
  ['link', '[[here]]', '[here]([[https://]])'],
  ['link', '[[https://example.com]]', '[[[text]]](https://example.com)'],
  ['list', 'a\n[[b\nc]]', 'a\n* b\n* c[[]]'],
  ['numbered', '[[b\nc]]', '1. b\n2. c[[]]'],
  ['poll', '[[]]', '/poll [[Question]]\nOption 1\nOption 2'],
] as const)('%s: %s', (kind, before, after) => expect(formatted(kind, before)).toBe(after));

/** The cursor is at `|`. */
function typedOver(key: string, marked: string): string | null {
  const start = marked.indexOf('|');
  const text = marked.replace('|', '');
  const over = typeOverFence(key, { text, start, end: start });
  if (!over) return null;
  const at = over.from + over.select[1];
  const after = text.slice(0, over.from) + over.insert + text.slice(over.to);
  return `${after.slice(0, at)}|${after.slice(at)}`;
}

test.each([
  ['`', '```py\n1\n``|\n```', '```py\n1\n```|'],
  ['`', '```py\n1\n``|\n```\nafter', '```py\n1\n```|\nafter'],
  ['`', '```py\n1\n`|\n```', null],
  ['x', '```py\n1\n``|\n```', null],
  ['`', '```py\n1\n``|', null],
  ['`', '```py\n1\n``|\n```js', null],
  ['`', 'an ``|\n```', null],
  ['`', '``|\n```', null],
])('%s in %j over the closing fence: %j', (key, before, after) => expect(typedOver(key, before)).toBe(after));

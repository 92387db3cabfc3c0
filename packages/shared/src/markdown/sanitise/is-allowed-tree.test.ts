import { element, type HtmlNode } from '../html-node';
import { isAllowedTree } from './sanitise';

const raw = (html: string): HtmlNode => ({ html, isBlock: false, text: '' });

test.each<[string, HtmlNode, boolean]>([
  ['text, whatever is in it', '<script>', true],
  ['an element of the dialect', element('p', {}, ['a', element('br')]), true],
  ['with its attributes', element('a', { class: 'stream', 'data-stream-id': '9', href: '/#narrow' }, ['a']), true],
  ['a spoiler', element('spoiler', {}, [element('header'), element('content', {}, [element('p')])]), true],
  ['an entity', raw('&copy;'), true],
  ['another element', element('script'), false],
  ['a name that every object has', element('constructor'), false],
  ['one deep inside', element('ul', {}, [element('li', {}, [element('p', {}, [element('iframe')])])]), false],
  ['one in a spoiler', element('spoiler', {}, [element('content', {}, [element('form')])]), false],
  ['a part of a spoiler without one', element('content'), false],
  ['an event handler', element('p', { onclick: 'x' }), false],
  ['a class of another element', element('p', { class: 'stream' }), false],
  ['a javascript link', element('a', { href: 'javascript:alert(1)' }), false],
  ['one behind an entity', element('a', { href: '&#106;avascript:alert(1)' }), false],
  ['another host behind an entity', element('a', { href: '/&#47;example.com' }), false],
  ['HTML that was made elsewhere', raw('<b>a</b>'), false],
  ['the beginning of a tag', element('p', {}, [raw('<script')]), false],
])('%s', (_name, node, isAllowed) => {
  expect(isAllowedTree([node])).toBe(isAllowed);
  expect(isAllowedTree([element('p', {}, ['a', node])])).toBe(isAllowed);
});

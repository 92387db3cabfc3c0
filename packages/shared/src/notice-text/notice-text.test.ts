import { asCode, bold, channelLink, quote, silentGroupMention, silentMention, topicLink } from './notice-text';

test.each([
  ['Ann', '@_**Ann|7**'],
  ['Ann|9', '@_**Ann|9|7**'],
  ['O’Hara [x](y)', '@_**O’Hara [x](y)|7**'],
  ['a**b', '@_**|7**'],
  ['a\nb', '@_**|7**'],
])('a user called %j is mentioned as %j', (fullName, text) => {
  expect(silentMention({ id: 7, fullName })).toBe(text);
});

test.each([
  ['cooks', '@_*cooks*'],
  ['c*', '`c*`'],
])('a group called %j is mentioned as %j', (name, text) => {
  expect(silentGroupMention(name)).toBe(text);
});

test.each([
  ['general', '#**general**'],
  ['R&D', '#**R&D**'],
  ['a>b', '[#a&#62;b](/#narrow/channel/3)'],
  ['a*b', '[#a&#42;b](/#narrow/channel/3)'],
  ['a`b', '[#a&#96;b](/#narrow/channel/3)'],
  ['cost $$', '[#cost &#36;&#36;](/#narrow/channel/3)'],
  ['[x](y)*', '[#&#91;x&#93;(y)&#42;](/#narrow/channel/3)'],
])('a channel called %j is linked as %j', (name, text) => {
  expect(channelLink({ id: 3, name })).toBe(text);
});

test.each([
  ['lunch > tea', '#**general>lunch > tea**'],
  ['', '#**general>**'],
  ['x** @**all', '[#general > x&#42;&#42; &#64;&#42;&#42;all](/#t)'],
  ['a`b', '[#general > a&#96;b](/#t)'],
  ['issue @12', '[#general > issue &#64;12](/#t)'],
])('a topic called %j is linked as %j', (topic, text) => {
  expect(topicLink('general', topic, '/#t')).toBe(text);
});

test.each([
  ['plain', '**plain**'],
  ['a**b', '`a**b`'],
  ['snake_case', '`snake_case`'],
  ['tick`', '`` tick` ``'],
])('the name %j is shown as %j', (name, text) => {
  expect(bold(name)).toBe(text);
});

test('code has more ticks around it than in it', () => {
  expect(asCode('a``b')).toBe('```a``b```');
});

test.each([
  ['plain', '````quote\nplain\n````'],
  ['two\nlines', '````quote\ntwo\nlines\n````'],
  ['inline ````` ticks', '``````quote\ninline ````` ticks\n``````'],
  ['```\nnever closed', '````text\n```\nnever closed\n````'],
  ['~~~quote\nnever closed', '````text\n~~~quote\nnever closed\n````'],
  ['````\nout of the quote', '`````text\n````\nout of the quote\n`````'],
])('%j is quoted as %j', (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});

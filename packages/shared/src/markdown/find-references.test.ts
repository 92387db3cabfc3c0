import { markdownCorpus } from '../testing/markdown-corpus';
import exampleFacts from './corpus/example-facts.json';
import { findReferences } from './find-references';
import { renderMarkdown } from './render-markdown';

test('names are listed as written, each once', () => {
  const content =
    '@**King Hamlet** @_**Twin|34** @**|31** @**King Hamlet** @*support* #**Verona** #**core team>lunch** #**a>b@12**';
  expect(findReferences(content)).toEqual({
    userNames: ['King Hamlet', 'Twin|34', '|31'],
    groupNames: ['support'],
    emojiNames: [],
    uploadPathIds: [],
    channelNames: ['Verona', 'core team>lunch', 'core team', 'a>b@12', 'a'],
    topics: [
      { channelName: 'core team', topic: 'lunch' },
      { channelName: 'a', topic: 'b@12' },
    ],
  });
});

test('a mention right after an unfinished one is found', () => {
  expect(findReferences('@*a @**King Hamlet**').userNames).toContain('King Hamlet');
});

test('text without marks refers to nothing', () => {
  expect(findReferences('mail a@b.c *now*, see #5')).toEqual({
    userNames: [],
    groupNames: [],
    channelNames: [],
    emojiNames: [],
    uploadPathIds: [],
    topics: [],
  });
});

test('more names than a message could mean are not listed', () => {
  const content = Array.from({ length: 3_000 }, (_, at) => `@**user ${at}**`).join(' ');
  expect(findReferences(content).userNames).toHaveLength(1_000);
});

test('the facts for the found references render a message as all facts do', () => {
  for (const { input, html } of Object.values(markdownCorpus()).flat()) {
    const { userNames, groupNames, channelNames } = findReferences(input);
    const facts = {
      ...exampleFacts,
      users: exampleFacts.users.filter(({ id, fullName }) =>
        userNames.some((name) => new RegExp(`^(${fullName}(\\|${id})?|\\|${id})$`, 'i').test(name)),
      ),
      groups: exampleFacts.groups.filter(({ name }) =>
        groupNames.some((found) => found.toLowerCase() === name.toLowerCase()),
      ),
      channels: exampleFacts.channels.filter(({ name }) => channelNames.includes(name)),
    };
    expect(renderMarkdown(input, facts).html).toBe(html);
  }
});

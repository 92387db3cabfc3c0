import { answerTo } from './draft-changes';

const own = { content: 'Hello', savedContent: 'Hello', ownSaves: ['Hel'] };

test.each([
  ['its own save, which is told late', { content: 'Hel' }, own, 'ignore'],
  ['the same text', { content: 'Hello' }, own, 'ignore'],
  ['another tab went on, this one did not', { content: 'Hello you' }, own, 'take'],
  ['both went on', { content: 'Hello you' }, { ...own, content: 'Hello all' }, 'part'],
  ['sent elsewhere', 'removed', own, 'empty'],
  ['sent elsewhere, while this one went on', 'removed', { ...own, content: 'Hello all' }, 'part'],
  ['deleted elsewhere, emptied here', 'removed', { ...own, content: ' ' }, 'empty'],
] as const)('%s', (_name, change, draft, answer) => expect(answerTo(change, draft)).toBe(answer));

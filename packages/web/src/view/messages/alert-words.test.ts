import { splitAtWords } from './alert-words';

test.each<[string, string[], string[]]>([
  ['This is urgent.', ['urgent'], ['This is ', 'urgent', '.']],
  ['URGENT, urgently', ['urgent'], ['', 'URGENT', ', urgently']],
  ['Über übermorgen', ['über'], ['', 'Über', ' übermorgen']],
  ['In New York', ['new', 'new york'], ['In ', 'New York', '']],
  ['C++ or c?', ['c++', 'c?'], ['', 'C++', ' or ', 'c?', '']],
  ['well-known', ['well-known'], ['', 'well-known', '']],
  ['nothing', [], ['nothing']],
])('"%s" has the words %j', (text, words, parts) => {
  expect(splitAtWords(text, words)).toEqual(parts);
});

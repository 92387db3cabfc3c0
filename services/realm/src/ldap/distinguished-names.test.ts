import { dnKey } from './distinguished-names';

test.each([
  ['uid=ann,ou=people,dc=example', 'UID=Ann, OU = People , dc=example'],
  ['cn=Jürgen,dc=example', 'cn=J\\C3\\BCrgen,dc=example'],
  ['cn=Doe\\, Ann,dc=example', 'cn=Doe\\2C Ann,dc=example'],
])('%s and %s are names of the same entry', (one, other) => {
  expect(dnKey(one)).toBe(dnKey(other));
});

test('names of different entries stay different, also with a comma within a value', () => {
  expect(dnKey('cn=ann\\,ou=people,dc=example')).not.toBe(dnKey('cn=ann,ou=people,dc=example'));
});

import { present } from './present';

test('a field is one line, and no code for the terminal comes from what members wrote', () => {
  const tokens = [{ id: 1, name: 'Ent\u001b[2Jra\r\nroot: yes', is_old: false }];
  expect(present({ realm_id: 2, description: 'one\ntwo\u0007', tokens, keys: [] })).toBe(
    [
      'realm_id: 2',
      'description: one; two\uFFFD',
      'tokens:',
      '  id: 1, name: Ent\uFFFD[2Jra; root: yes, is_old: false',
      'keys: none',
      '',
    ].join('\n'),
  );
});

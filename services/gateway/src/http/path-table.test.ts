import { PathTable } from './path-table';

const id = new Map([['id', /^\d+$/]]);
const name = new Map([['name', /^.+$/s]]);

const table = new PathTable<string>(2);
table.add({ path: '/api/users', patterns: new Map() }, 'users');
table.add({ path: '/api/users/me', patterns: new Map() }, 'me');
table.add({ path: '/api/users/{id}', patterns: id }, 'by id');
table.add({ path: '/api/users/{name}', patterns: name }, 'by name');
table.add({ path: '/api/users/{id}/keys', patterns: id }, 'keys');
table.add({ path: '/api/users/me/keys/{id}', patterns: id }, 'own key');
table.add({ path: '/api/users/{id}/keys/{name}', patterns: new Map([...id, ...name]) }, 'key');

test.each([
  ['/api/users', 'users', {}],
  ['/api/users/me', 'me', {}],
  ['/api/users/5', 'by id', { id: '5' }],
  ['/api/users/%35', 'by id', { id: '5' }],
  ['/api/users/dan%40example.com', 'by name', { name: 'dan@example.com' }],
  ['/api/users/a%2Fb', 'by name', { name: 'a/b' }],
  ['/api/users/5/keys', 'keys', { id: '5' }],
  ['/api/users/me/keys/6', 'own key', { id: '6' }],
  ['/api/users/5/keys/x', 'key', { id: '5', name: 'x' }],
])('%s is found', (path, target, parameters) => {
  expect(table.find(path)).toEqual({ target, parameters });
});

test.each([
  ['another case', '/api/Users/me'],
  ['a slash at the end', '/api/users/'],
  ['one more part', '/api/users/5/keys/x/y'],
  ['an empty part', '/api//users'],
  ['a fixed part that is encoded', '/api/%75sers'],
  ['a part that cannot be decoded', '/api/users/%e0%a4'],
  ['a part that its pattern does not match', '/api/users/x/keys'],
  ['names of objects', '/api/constructor/__proto__'],
])('%s is not: %s', (_case, path) => {
  expect(table.find(path)).toBeNull();
});

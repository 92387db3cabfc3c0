import { reasonToDrop } from './automatic-mail';

const HOST = 'chat.example';
const WRITTEN = { 'message-id': '<1@example.org>', from: 'Ada <ada@example.org>' };

const drop = (kind: 'reply' | 'channel', headers: Record<string, string>, envelopeSender = 'ada@example.org') =>
  reasonToDrop(kind, { headers: { ...WRITTEN, ...headers }, envelopeSender, ownHost: HOST });

test.each<[string, Record<string, string>]>([
  ['nothing special', {}],
  ['Auto-Submitted: no', { 'auto-submitted': 'No' }],
  ['Precedence: first-class', { precedence: 'first-class' }],
  ['another server’s message id of our form', { 'message-id': '<realm-1-2-3@other.example>' }],
])('a mail with %s is taken', (_what, headers) => {
  expect([drop('reply', headers), drop('channel', headers)]).toEqual([null, null]);
});

test.each<[string, Record<string, string>]>([
  ['an out-of-office answer', { 'auto-submitted': 'auto-replied (vacation)' }],
  ['Precedence: junk', { precedence: 'junk' }],
  ['X-Autoreply', { 'x-autoreply': 'yes' }],
  ['our own message id', { 'message-id': '<scheduler-3-17-1764240000000@CHAT.example>' }],
])('a mail with %s is dropped', (_what, headers) => {
  expect(drop('reply', headers)).not.toBeNull();
  expect(drop('channel', headers)).not.toBeNull();
});

test.each<[string, Record<string, string>]>([
  ['Auto-Submitted: auto-generated', { 'auto-submitted': 'auto-generated' }],
  ['Auto-Submitted: auto-notified', { 'auto-submitted': 'auto-notified; owner-email="x"' }],
  ['Precedence: bulk', { precedence: 'bulk' }],
  ['Precedence: list', { precedence: 'List' }],
  ['X-Auto-Response-Suppress', { 'x-auto-response-suppress': 'All' }],
  ['List-Id', { 'list-id': '<a.example.org>' }],
])('a mail with %s is no reply, but a channel takes it', (_what, headers) => {
  expect(drop('reply', headers)).not.toBeNull();
  expect(drop('channel', headers)).toBeNull();
});

test('a mail without a return path is dropped', () => {
  expect([drop('reply', {}, ''), drop('channel', {}, '')]).toEqual(['empty return path', 'empty return path']);
});

import { readConfig } from '../service';
import { mailSettings } from './index';

const read = (environment: NodeJS.ProcessEnv) => readConfig(mailSettings, environment);

test('nothing need be set', () => {
  expect(read({})).toEqual({ DATA_DIR: './var', MAILS_PER_SECOND: 20 });
});

test.each([
  ['noreply@chat.example', { name: '', address: 'noreply@chat.example' }],
  [' Our Chat <noreply@chat.example> ', { name: 'Our Chat', address: 'noreply@chat.example' }],
])('mail comes from %j', (MAIL_FROM, expected) => {
  expect(read({ MAIL_FROM, SMTP_URL: 'smtps://user:word@mail.example:465' })).toMatchObject({ MAIL_FROM: expected });
});

test.each([
  [{ MAIL_FROM: 'Our Chat' }, 'MAIL_FROM must be an address, or a name and an <address> (it is "Our Chat")'],
  [{ MAIL_FROM: 'a@b.example, c@d.example' }, /^MAIL_FROM must be an address/],
  [{ MAIL_FROM: 'A <a@b.example> <c@d.example>' }, /^MAIL_FROM must be an address/],
  [{ SMTP_URL: 'http://user:secret@mail.example' }, 'SMTP_URL must be an smtp:// or smtps:// address'],
])('%j is refused', (environment, expected) => {
  expect(() => read(environment)).toThrow(expected);
});

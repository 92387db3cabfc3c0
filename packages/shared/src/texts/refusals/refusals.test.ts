import * as errors from '../../errors';
import { TEXT_LANGUAGES } from '..';
import { refusals as de } from '../de/refusals';
import { refusals as en } from '../en/refusals';
import { REFUSAL, refusalText } from '.';

const said = (message: string) => ({ code: 'BAD_REQUEST', message });

test('what is thrown is found in each language, with its values', () => {
  expect(refusalText('de', said(REFUSAL.accounts.weakPassword))).toBe('Das Passwort ist zu schwach.');
  expect(refusalText('en', said(REFUSAL.accounts.weakPassword))).toBe('The password is too weak.');
  const refused = REFUSAL.providers.refused('access_denied');
  expect(refusalText('de', said(refused))).toBe('Der Anmeldeanbieter hat abgelehnt: access_denied.');
  expect(refusalText('de', said(REFUSAL.providers.unreachable('$& (a|b)\n.')))).toContain(': $& (a|b)\n..');
});

type Text = string | ((...values: string[]) => string);
const textOf = (text: Text) => (typeof text === 'string' ? text : text('7'));

test('no text is taken for another one', () => {
  for (const [part, texts] of Object.entries(en.said)) {
    for (const [name, text] of Object.entries(texts)) {
      const german = (de.said as Record<string, Record<string, Text>>)[part]?.[name] as Text;
      expect(refusalText('de', said(textOf(text)))).toBe(textOf(german));
    }
  }
});

test('errors with a code of their own are known by it', () => {
  const error = { code: 'AUTHENTICATION_FAILED', message: 'in the words of another version' };
  expect(TEXT_LANGUAGES.map((language) => refusalText(language, error))).toEqual([
    'Your username or password is incorrect',
    'Name oder Passwort ist falsch.',
  ]);
});

test.each([
  new errors.CannotAdministerChannelError(),
  new errors.CannotDeactivateGroupInUseError([]),
  new errors.CannotDeactivateLastUserError('organization owner'),
  new errors.CannotDeactivateLastUserError('user'),
  new errors.CannotManageDefaultChannelError(),
  new errors.CannotSetTopicsPolicyError(),
  new errors.ChannelAlreadyExistsError('tea'),
  new errors.InsufficientPermissionError(),
  new errors.MoveMessagesTimeLimitExceededError(5, 1, 2),
  new errors.RealmUploadQuotaError(),
  new errors.StreamDoesNotExistError({ stream: 'tea' }),
  new errors.StreamDoesNotExistError({ stream_id: 7 }),
  new errors.StreamWildcardMentionNotAllowedError(),
  new errors.TopicWildcardMentionNotAllowedError(),
])('what has an error of its own has a translation: $message', (error) => {
  expect(refusalText('en', error)).toBe(error.message);
  expect([undefined, error.message]).not.toContain(refusalText('de', error));
});

test.each(['', 'stream_id is not valid JSON', ' No such invitation', 'constructor'])(
  'others are not: %j',
  (message) => {
    expect(refusalText('de', { code: message, message })).toBeUndefined();
  },
);

import type { Message, User } from '@parley/shared/proto';
import { composeNote, type PushReader } from './compose-note';
import type { PushRow } from './deliveries.sql';
import { SUMMARY } from './plan-delivery';
import { webPayload } from './web-push';

const user = (id: number, fullName: string) => ({ id, fullName }) as User;
const [ann, bo, cy] = [user(1, 'Ann'), user(2, 'Bo'), user(3, 'Cy')];

const reader: PushReader = {
  ...{ userId: 1, language: 'en', realmName: 'Acme', realmUrl: 'https://acme.test' },
  ...{ showsDirectContent: true, tellsNothing: false },
};

const inChannel = (id: number, text: string, sender = bo): Message =>
  ({
    ...{ id, sender, channelId: 5, channelName: 'general', topic: 'lunch', participants: [] },
    ...{ renderedContent: `<p>${text}</p>`, sentAtMs: 1_000, flags: [] },
  }) as unknown as Message;
const direct = (id: number, text: string, participants = [ann, bo]): Message =>
  ({
    ...{ id, sender: bo, participants, topic: '', renderedContent: `<p>${text}</p>`, sentAtMs: 1_000, flags: [] },
  }) as unknown as Message;

const compose = (messages: Message[], over: Partial<PushReader> = {}, tag = 'tag') =>
  composeNote(
    {
      tag,
      isNew: true,
      messages: messages.map((message) => ({ message, tag, row: { trigger: 'mentioned' } as PushRow })),
    },
    { ...reader, ...over },
  );

test('messages of a channel are told with their senders', () => {
  expect(compose([inChannel(1, 'Soup?'), inChannel(2, 'Yes', cy)])).toEqual({
    ...{ type: 'show', tag: 'tag', lang: 'en', is_new: true },
    title: '#general › lunch',
    body: 'Bo: Soup?\nCy: Yes',
    path: '/#narrow/channel/5-general/topic/lunch/near/2',
    messages: [
      {
        ...{ id: 1, trigger: 'mentioned', sender_id: 2, sender_full_name: 'Bo', channel_id: 5 },
        ...{ channel_name: 'general', topic: 'lunch', timestamp: 1, content: 'Soup?' },
      },
      expect.objectContaining({ id: 2, sender_full_name: 'Cy', content: 'Yes' }),
    ],
  });
});

test.each([
  ['two people', [ann, bo], 'Bo', 'Hi'],
  ['a group', [ann, bo, cy], 'Bo, Cy', 'Bo: Hi'],
  ['oneself', [ann], 'Ann', 'Hi'],
])('direct messages of %s', (_name, participants, title, body) => {
  const sender = participants.length === 1 ? ann : bo;
  expect(compose([{ ...direct(1, 'Hi', participants), sender }])).toMatchObject({
    ...{ title, body },
    path: expect.stringMatching(/^\/#narrow\/dm\/1/),
    messages: [{ participant_ids: participants.map(({ id }) => id), content: 'Hi' }],
  });
});

test('what somebody says about themselves has their name before it, unless it may not be told', () => {
  const about = (message: Message) => ({ ...message, isMeMessage: true });
  expect(compose([about(direct(1, '/me waves')), direct(2, '/me')])).toMatchObject({ body: 'Bo waves\n/me' });
  expect(compose([about(inChannel(1, '/me waves')), inChannel(2, 'Hi')])).toMatchObject({ body: 'Bo waves\nBo: Hi' });
  const hidden = compose([about(direct(1, '/me waves'))], { showsDirectContent: false });
  expect(hidden).toMatchObject({ body: 'New message' });
});

test('earlier messages are counted, in the language of the reader', () => {
  const many = Array.from({ length: 7 }, (_, at) => direct(at, `${at}`));
  expect(compose(many)).toMatchObject({ body: '3 more messages\n3\n4\n5\n6' });
  expect(compose(many.slice(0, 5), { language: 'de' })).toMatchObject({ body: '1 weitere Nachricht\n1\n2\n3\n4' });
});

test('the text of direct messages is left out on demand, nowhere else', () => {
  const note = compose([direct(1, 'secret')], { showsDirectContent: false, language: 'de' });
  expect(note).toMatchObject({ title: 'Bo', body: 'Neue Nachricht' });
  expect(JSON.stringify(note)).not.toContain('secret');
  expect(compose([inChannel(1, 'open')], { showsDirectContent: false })).toMatchObject({ body: 'Bo: open' });
});

test('without encryption an organization may have nothing told', () => {
  const note = compose([inChannel(1, 'secret'), inChannel(2, 'secret')], { tellsNothing: true });
  expect(note).toEqual({
    ...{ type: 'show', tag: 'tag', lang: 'en', is_new: true, title: 'Acme', body: '2 new messages', path: '/#inbox' },
    messages: [{ id: 1 }, { id: 2 }],
  });
});

test('a summary counts', () => {
  expect(compose([direct(1, 'a'), inChannel(2, 'b')], {}, SUMMARY)).toMatchObject({
    title: 'Acme',
    body: '2 new messages',
  });
});

test('a notification without messages is closed', () => {
  expect(compose([])).toEqual({ type: 'close', tag: 'tag' });
});

test.each([['a'], ['ü'], ['\u0001'], ['😀'], ['"']])('a payload of %j fits into a push', (character) => {
  const text = character.repeat(300);
  const messages = Array.from({ length: 50 }, (_, at) => inChannel(1_000_000_000 + at, text, user(2, text)));
  const payload = webPayload(
    compose(messages.map((each) => ({ ...each, channelName: character.repeat(30), topic: character.repeat(30) }))),
  );
  expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(3_993);
  expect(JSON.parse(payload).ids).toHaveLength(50);
});

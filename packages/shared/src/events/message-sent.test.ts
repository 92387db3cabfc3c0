import type { Message, User } from '../proto';
import { type ClientView, type MessageSent, messageSent } from './index';

const user = (id: number, email: string): User => ({
  id,
  realmId: 1,
  email,
  deliveryEmail: email,
  fullName: `User ${id}`,
  role: 400,
  isBot: false,
  isActive: true,
  timezone: '',
  avatarSource: 'G',
  avatarVersion: 1,
  emailAddressVisibility: 1,
  joinedAtMs: 0,
});

const message: Message = {
  id: 100,
  realmId: 1,
  sender: user(5, 'zoe@example.com'),
  channelId: 7,
  channelName: 'general',
  participants: [],
  topic: '',
  content: '*hi*',
  renderedContent: '<p><em>hi</em></p>',
  sentAtMs: 1_700_000_000_900,
  clientName: 'curl',
  recipientId: 14,
  isMeMessage: false,
  topicLinks: [],
  flags: [],
  reactions: [],
  submessages: [],
  senderRealm: '',
};

const sent: MessageSent = {
  message,
  subscriptionVersion: 3,
  isChannelPublic: true,
  readByIds: [5],
  mentionedIds: [6],
  mentionsChannel: false,
  mentionsTopic: false,
  queueId: 'queue-1',
  localId: 'local-1',
};

const direct: MessageSent = {
  ...sent,
  message: { ...message, participants: [user(5, 'b@x.org'), user(6, 'a@x.org')] },
};
delete direct.message.channelId;

const [shape] = messageSent.publicShapes;
if (!shape) throw new Error('message.sent has a public shape');
const view: ClientView = {
  applyMarkdown: true,
  clientGravatar: true,
  isEmptyTopicUnderstood: true,
  capabilities: [],
};
const rendered = (payload: MessageSent, changed: Partial<ClientView> = {}) =>
  shape.render(payload, { ...view, ...changed })['message'] as Record<string, unknown>;

describe('message.sent', () => {
  test('goes to the subscribers at the version of sending, or to the participants', () => {
    expect(shape.audience(sent)).toEqual({ to: 'subscribers', channelId: 7, version: 3, isPublic: true });
    expect(shape.audience(direct)).toEqual({ to: 'users', userIds: [5, 6] });
  });

  test.each<[Partial<ClientView>, Record<string, unknown>]>([
    [{}, { content: '<p><em>hi</em></p>', content_type: 'text/html', subject: '', avatar_url: null }],
    [{ applyMarkdown: false }, { content: '*hi*', content_type: 'text/x-markdown' }],
    [{ isEmptyTopicUnderstood: false }, { subject: 'general chat' }],
    [{ clientGravatar: false }, { avatar_url: expect.stringContaining('/static/pictures/') }],
  ])('a client with %j sees %j', (changed, expected) => expect(rendered(sent, changed)).toMatchObject(expected));

  test('is a public message object', () => {
    expect(rendered(sent)).toMatchObject({
      id: 100,
      type: 'stream',
      stream_id: 7,
      display_recipient: 'general',
      sender_id: 5,
      timestamp: 1_700_000_000,
    });
    expect(rendered(direct)).toMatchObject({ type: 'private', subject: '' });
    expect(rendered(direct)).not.toHaveProperty('stream_id');
    // One-to-one: by e-mail.
    expect(rendered(direct)['display_recipient']).toMatchObject([{ id: 6 }, { id: 5 }]);
  });

  test.each([
    [5, 'queue-1', { flags: ['read'], local_message_id: 'local-1', local_id: 'local-1' }],
    [5, 'queue-2', { flags: ['read'] }],
    [6, 'queue-1', { flags: ['mentioned'] }],
    [6, 'queue-3', { flags: ['mentioned'] }],
    [9, 'queue-4', { flags: [] }],
  ])('user %i on %s gets %j', (userId, queueId, personal) =>
    expect(shape.personal?.(sent)({ userId, queueId, alertWords: [], hasMuted: () => false })).toEqual(personal),
  );

  test('starts as read for those whom it names, or for everybody but those', () => {
    const flagsOf = (payload: MessageSent, userId: number) =>
      shape.personal?.(payload)({ userId, queueId: 'q', alertWords: [], hasMuted: () => false })['flags'];
    const toAllButSix: MessageSent = { ...sent, readByIds: [], unreadForIds: [6], mentionedIds: [] };
    expect([5, 6, 9].map((userId) => flagsOf(toAllButSix, userId))).toEqual([['read'], [], ['read']]);
    expect(shape.flaggedMessageId).toBeUndefined();
  });

  test('views that differ get variants of their own', () => {
    const variants = new Set(
      [{}, { applyMarkdown: false }, { clientGravatar: false }, { isEmptyTopicUnderstood: false }].map((changed) =>
        shape.variant({ ...view, ...changed }),
      ),
    );
    expect(variants.size).toBe(4);
  });
});

import type { Presence, PresenceList } from '@parley/shared/proto';
import { createFakeClock } from '@parley/shared/testing';
import {
  getRealmPresence,
  getUserPresence,
  registerQueue,
  setEditTypingStatus,
  setTypingStatus,
  updatePresence,
} from '../../src/endpoints';
import { formBody, startGateway, type TestGateway } from '../gateway';

const clock = createFakeClock();
let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway({}, { clock });
  gateway.messages.answers.reportTyping = async () => ({});
  gateway.messages.answers.reportEditTyping = async () => ({});
  gateway.realm.answers.reportPresence = async (_call, { list: wanted }) => {
    const withEmails = wanted?.withEmails === true;
    return listOf(withEmails);
  };
  gateway.realm.answers.listPresences = async (_call, { withEmails }) => listOf(withEmails);
});
afterEach(() => gateway.stop());

const IAGO: Presence = { userId: 11, activeAtMs: 1_700_000_000_900, connectedAtMs: 1_700_000_080_100 };
const listOf = (withEmails: boolean): PresenceList => ({
  presences: [{ ...IAGO, ...(withEmails && { email: 'iago@acme.example' }) }],
  lastUpdateId: 5,
  listedAtMs: 1_700_000_090_500,
});
const SUCCESS = { result: 'success', msg: '' };
const SLIM = { 11: { active_timestamp: 1_700_000_000, idle_timestamp: 1_700_000_080 } };
const SHOWN = { client: 'website', status: 'idle', timestamp: 1_700_000_080, pushable: false };
const LEGACY = { 'iago@acme.example': { aggregated: SHOWN, website: SHOWN } };
const post = (path: string, form: Record<string, string>) =>
  gateway.request({ method: 'POST', path: `/api/v1${path}`, ...formBody(form) });

describe('POST /users/me/presence', () => {
  test('answers the presence of users, by address or, to new clients, by id', async () => {
    const { json } = await gateway.call(updatePresence, { status: 'active' });
    expect(json).toEqual({
      ...SUCCESS,
      presences: LEGACY,
      presence_last_update_id: 5,
      server_timestamp: 1_700_000_090.5,
    });
    const usual = { withEmails: true, historyLimitDays: 14, knownVersion: '', lastUpdateId: -1 };
    expect(gateway.realm.last('reportPresence')).toEqual({ isActive: true, list: usual });
    const slim = await gateway.call(updatePresence, { status: 'idle', slim_presence: true, history_limit_days: 3 });
    expect(slim.json.presences).toEqual(SLIM);
    const since = await gateway.call(updatePresence, { status: 'idle', last_update_id: -1, new_user_input: true });
    expect(since.json.presences).toEqual(SLIM);
    expect(gateway.realm.last('reportPresence')).toEqual({ isActive: false, list: { ...usual, withEmails: false } });
    await gateway.call(updatePresence, { status: 'idle', last_update_id: 5, history_limit_days: 3 });
    const list = { withEmails: false, historyLimitDays: 3, lastUpdateId: 5 };
    expect(gateway.realm.last('reportPresence')).toEqual({ isActive: false, list });
  });

  test('answers nothing to a ping', async () => {
    expect((await gateway.call(updatePresence, { status: 'idle', ping_only: true })).json).toEqual(SUCCESS);
    expect(gateway.realm.last('reportPresence')).toEqual({ isActive: false });
  });

  test.each([
    [{ status: 'away' }, 'Invalid status: away'],
    [{}, "Missing 'status' argument"],
    [{ status: 'idle', ping_only: 'maybe' }, 'ping_only is not valid JSON'],
    [{ status: 'idle', history_limit_days: '-1' }, 'history_limit_days is too small'],
  ])('refuses %j', async (form, msg) => {
    expect(await post('/users/me/presence', form as Record<string, string>)).toMatchObject({
      status: 400,
      json: { msg },
    });
  });
});

test('GET /realm/presence answers by address', async () => {
  const { json } = await gateway.call(getRealmPresence, {});
  expect(json).toEqual({ ...SUCCESS, presences: LEGACY, server_timestamp: 1_700_000_090.5 });
});

describe('GET /users/{user_id_or_email}/presence', () => {
  beforeEach(() => {
    gateway.realm.answers.getPresence = async () => ({
      ...IAGO,
      activeAtMs: clock.now() - 300_000,
      connectedAtMs: clock.now() - 200_000,
    });
  });

  test('takes ids and addresses', async () => {
    await gateway.call(getUserPresence, { user_id_or_email: '11' });
    expect(gateway.realm.last('getPresence')).toMatchObject({ user: { id: 11 } });
    await gateway.call(getUserPresence, { user_id_or_email: 'iago@acme.example' });
    expect(gateway.realm.last('getPresence')).toMatchObject({ user: { email: 'iago@acme.example' } });
  });

  test('shows a user as offline after 200 seconds', async () => {
    const ask = async () => (await gateway.call(getUserPresence, { user_id_or_email: '11' })).json.presence;
    const timestamp = Math.floor((clock.now() - 200_000) / 1000);
    expect(await ask()).toEqual({ aggregated: { status: 'idle', timestamp }, website: { status: 'idle', timestamp } });
    gateway.realm.answers.getPresence = async () => ({ ...IAGO, connectedAtMs: clock.now() - 202_000 });
    expect(await ask()).toMatchObject({ aggregated: { status: 'offline' }, website: { status: 'idle' } });
  });
});

describe('POST /register', () => {
  const register = async (input: object) =>
    (await gateway.call(registerQueue, { fetch_event_types: ['presence'], ...input })).json;

  test('lists presences', async () => {
    const state = { presence_last_update_id: 5, server_timestamp: 1_700_000_090.5 };
    expect(await register({})).toMatchObject({ ...state, presences: LEGACY });
    expect(await register({ slim_presence: true, presence_history_limit_days: 2 })).toMatchObject({ presences: SLIM });
    expect(gateway.realm.last('getOwnState')).toMatchObject({ presences: { withEmails: false, historyLimitDays: 2 } });
    expect(gateway.events.last('createQueue')).toMatchObject({ capabilities: ['slim_presence'] });
    expect(await register({ client_capabilities: { simplified_presence_events: true } })).toMatchObject({
      presences: SLIM,
    });
  });

  test('loads presences only when requested', async () => {
    expect(await register({ fetch_event_types: ['message'] })).not.toHaveProperty('presences');
  });
});

describe('POST /typing', () => {
  test('reports typing of direct messages and of messages to topics', async () => {
    expect((await gateway.call(setTypingStatus, { op: 'start', to: [9, 10, 9] })).json).toEqual(SUCCESS);
    expect(gateway.messages.last('reportTyping')).toEqual({ isTyping: true, recipientIds: [9, 10] });
    for (const type of ['channel', 'stream'] as const) {
      await gateway.call(setTypingStatus, { type, op: 'stop', stream_id: 7, topic: 'lunch' });
      const inTopic = { channelId: 7, topic: 'lunch' };
      expect(gateway.messages.last('reportTyping')).toEqual({ isTyping: false, inTopic, recipientIds: [] });
    }
    await post('/typing', { type: 'stream', op: 'start', stream_id: '7', subject: 'dinner' });
    expect(gateway.messages.last('reportTyping')).toMatchObject({ inTopic: { channelId: 7, topic: 'dinner' } });
  });

  test.each([
    [{ type: 'stream', stream_id: '7', topic: 'x', to: 'general' }, { inTopic: { channelId: 7, topic: 'x' } }],
    [{ to: '[9]', stream_id: 'general', topic: 'a\nb' }, { recipientIds: [9] }],
  ])('ignores what belongs to the other kind of message: %j', async (form, asked) => {
    expect(await post('/typing', { op: 'start', ...form } as Record<string, string>)).toMatchObject({ json: SUCCESS });
    expect(gateway.messages.last('reportTyping')).toMatchObject(asked);
  });

  test.each([
    [{ op: 'start', type: 'channel', stream_id: '"7"', topic: 'x' }, 'stream_id is not an integer'],
    [{ op: 'start', to: 'null' }, "Missing 'to' argument"],
    [{ to: '[9]' }, "Missing 'op' argument"],
    [{ op: 'pause', to: '[9]' }, 'Invalid op'],
    [{ op: 'start', type: 'private', to: '[9]' }, 'Invalid type'],
    [{ op: 'start' }, "Missing 'to' argument"],
    [{ op: 'start', to: '["a@example.com"]' }, 'to[0] is not an integer'],
    [{ op: 'start', type: 'channel', topic: 'x' }, 'Missing channel ID'],
    [{ op: 'start', type: 'stream', stream_id: '7' }, 'Missing topic'],
  ])('refuses %j', async (form, msg) => {
    expect(await post('/typing', form as Record<string, string>)).toMatchObject({ status: 400, json: { msg } });
  });
});

test('POST /messages/{message_id}/typing reports edits', async () => {
  expect((await gateway.call(setEditTypingStatus, { message_id: 501, op: 'stop' })).json).toEqual(SUCCESS);
  expect(gateway.messages.last('reportEditTyping')).toEqual({ messageId: 501, isTyping: false });
  expect(await post('/messages/501/typing', { op: 'x' })).toMatchObject({ status: 400, json: { msg: 'Invalid op' } });
});

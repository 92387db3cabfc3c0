import { BadRequestError } from '@parley/shared/errors';
import type { Draft, SavedSnippet } from '@parley/shared/proto';
import {
  createDrafts,
  createSavedSnippet,
  deleteDraft,
  deleteSavedSnippet,
  getDrafts,
  getSavedSnippets,
  registerQueue,
  reportMessage,
  updateDraft,
  updateSavedSnippet,
} from '../../src/endpoints';
import { formBody, startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  const nothing = async () => ({});
  Object.assign(gateway.messages.answers, {
    createDrafts: async () => ({ draftIds: [7, 8] }),
    updateDraft: nothing,
    deleteDraft: nothing,
    createSavedSnippet: async () => ({ savedSnippetId: 9 }),
    updateSavedSnippet: nothing,
    deleteSavedSnippet: nothing,
    reportMessage: nothing,
  });
});
afterEach(() => gateway.stop());

const send = (method: string, path: string, form: Record<string, string>) =>
  gateway.request({ method, path: `/api/v1${path}`, ...formBody(form) });
const sent = { type: 'stream' as const, to: [3], topic: 'lunch', content: 'soup' };

const drafts: Draft[] = [
  { id: 4, channelId: 3, recipientIds: [], topic: 'lunch', content: 'soup', editedAtMs: 1_700_000_000_900 },
  { id: 2, recipientIds: [11, 12], topic: '', content: 'hi', editedAtMs: 1_600_000_000_000 },
  { id: 1, recipientIds: [], topic: '', content: 'to nobody', editedAtMs: 0 },
];
const publicDrafts = [
  { id: 4, ...sent, timestamp: 1_700_000_000 },
  { id: 2, type: 'private', to: [11, 12], topic: '', content: 'hi', timestamp: 1_600_000_000 },
  { id: 1, type: '', to: [], topic: '', content: 'to nobody', timestamp: 0 },
];
const snippet: SavedSnippet = { id: 9, title: 'Hello', content: 'Hi', createdAtMs: 1_700_000_000_900 };
const publicSnippet = { id: 9, title: 'Hello', content: 'Hi', date_created: 1_700_000_000 };

describe('drafts', () => {
  test('are listed with their number', async () => {
    gateway.messages.answers.getDrafts = async () => ({ drafts });
    expect((await gateway.call(getDrafts, {})).json).toMatchObject({ count: 3, drafts: publicDrafts });
  });

  test('are made from the given fields', async () => {
    const later = { ...sent, type: 'private' as const, timestamp: 1_700_000_000.25 };
    const answer = await gateway.call(createDrafts, { drafts: [{ ...sent, content: ' soup\n' }, later] });
    expect(answer.json.ids).toEqual([7, 8]);
    const draft = { kind: 'channel', toIds: [3], topic: 'lunch', content: 'soup' };
    expect(gateway.messages.last('createDrafts')).toEqual({
      drafts: [draft, { ...draft, kind: 'direct', editedAtMs: 1_700_000_000_250 }],
      idempotencyKey: expect.stringMatching(/^gateway:/),
    });
    await gateway.call(createDrafts, { drafts: [{ ...sent, type: '', timestamp: -0.0001 }] });
    expect(gateway.messages.last('createDrafts')).toMatchObject({ drafts: [{ kind: '', editedAtMs: -1 }] });
    await send('POST', '/drafts', {});
    expect(gateway.messages.last('createDrafts')).toEqual({
      drafts: [],
      idempotencyKey: expect.stringMatching(/^gateway:/),
    });
  });

  test.each<[unknown, string]>([
    [{}, 'drafts is not a list'],
    [[7], 'drafts[0] is not a dict'],
    [[{ ...sent, to: undefined }], 'drafts[0]["to"] field is missing: Field required'],
    [[sent, { ...sent, content: undefined }], 'drafts[1]["content"] field is missing: Field required'],
    [[{ ...sent, content: ' \n ' }], 'drafts[0]["content"] cannot be blank'],
    [[{ ...sent, type: 'channel' }], 'Invalid drafts[0]["type"]'],
    [[{ ...sent, to: ['3'] }], 'drafts[0]["to"][0] is not an integer'],
    [[{ ...sent, id: 7 }], 'Argument "id" at drafts[0]["id"] is unexpected'],
    [[{ ...sent, timestamp: 1e12 }], 'drafts[0]["timestamp"] is too large'],
  ])('%j are refused', async (value, msg) => {
    const answer = await send('POST', '/drafts', { drafts: JSON.stringify(value) });
    expect(answer).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST', msg } });
  });

  test('are replaced by a whole draft', async () => {
    await gateway.call(updateDraft, { draft_id: 7, draft: sent });
    expect(gateway.messages.last('updateDraft')).toEqual({
      draftId: 7,
      draft: { kind: 'channel', toIds: [3], topic: 'lunch', content: 'soup' },
    });
    const { to, ...rest } = sent;
    const answer = await send('PATCH', '/drafts/7', { draft: JSON.stringify(rest) });
    expect(answer.json.msg).toBe('draft["to"] field is missing: Field required');
    expect((await send('PATCH', '/drafts/7', {})).json).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING' });
  });

  test('that do not exist are not found, with the code BAD_REQUEST', async () => {
    gateway.messages.answers.deleteDraft = async () => {
      throw new BadRequestError('Draft does not exist', {}, 404);
    };
    const answer = await gateway.call(deleteDraft, { draft_id: 7 });
    expect(answer).toMatchObject({ status: 404, json: { code: 'BAD_REQUEST', msg: 'Draft does not exist' } });
    expect(gateway.messages.last('deleteDraft')).toEqual({ draftId: 7 });
  });
});

describe('saved snippets', () => {
  test('are listed', async () => {
    gateway.messages.answers.getSavedSnippets = async () => ({ savedSnippets: [snippet] });
    expect((await gateway.call(getSavedSnippets, {})).json.saved_snippets).toEqual([publicSnippet]);
  });

  test('are made, changed and deleted', async () => {
    expect((await gateway.call(createSavedSnippet, { title: ' Hello ', content: 'Hi' })).json.saved_snippet_id).toBe(9);
    expect(gateway.messages.last('createSavedSnippet')).toEqual({
      title: 'Hello',
      content: 'Hi',
      idempotencyKey: expect.stringMatching(/^gateway:/),
    });
    await gateway.call(updateSavedSnippet, { saved_snippet_id: 9, content: 'Ho' });
    expect(gateway.messages.last('updateSavedSnippet')).toEqual({ savedSnippetId: 9, content: 'Ho' });
    await gateway.call(deleteSavedSnippet, { saved_snippet_id: 9 });
    expect(gateway.messages.last('deleteSavedSnippet')).toEqual({ savedSnippetId: 9 });
  });

  test.each<[string, Record<string, string>, string]>([
    ['no title', { content: 'Hi' }, "Missing 'title' argument"],
    ['a blank title', { title: ' ', content: 'Hi' }, 'title cannot be blank'],
    ['a long title', { title: 'x'.repeat(61), content: 'Hi' }, 'title is too long (limit: 60 characters)'],
    ['no content', { title: 'Hello', content: '' }, 'content cannot be blank'],
    [
      'a long content',
      { title: 'Hello', content: 'x'.repeat(10_001) },
      'content is too long (limit: 10000 characters)',
    ],
  ])('with %s are refused', async (_name, form, msg) => {
    expect((await send('POST', '/saved_snippets', form)).json).toMatchObject({ result: 'error', msg });
  });
});

test('POST /register has drafts and snippets when they are requested', async () => {
  gateway.messages.answers.getWritings = async () => ({ drafts, savedSnippets: [snippet] });
  const register = async (...types: string[]) => (await gateway.call(registerQueue, { fetch_event_types: types })).json;
  expect(await register('drafts')).toMatchObject({ drafts: publicDrafts });
  expect(gateway.messages.last('getClientState')).toEqual({
    writings: { includesDrafts: true, includesSavedSnippets: false },
  });
  const both = await register('drafts', 'saved_snippets');
  expect(both).toMatchObject({ drafts: publicDrafts, saved_snippets: [publicSnippet] });
  expect(await register('saved_snippets')).not.toHaveProperty('drafts');
  gateway.messages.seen.length = 0;
  expect(await register('alert_words')).not.toHaveProperty('saved_snippets');
  expect(gateway.messages.last('getClientState')).toEqual({});
});

describe('a report of a message', () => {
  test('has the message, the reason and a description', async () => {
    await gateway.call(reportMessage, { message_id: 5, report_type: 'spam' });
    expect(gateway.messages.last('reportMessage')).toEqual({ messageId: 5, reportType: 'spam', description: '' });
    await gateway.call(reportMessage, { message_id: 5, report_type: 'other', description: ' why ' });
    expect(gateway.messages.last('reportMessage')).toMatchObject({ reportType: 'other', description: 'why' });
  });

  test.each<[string, Record<string, string>, string]>([
    ['no reason', {}, "Missing 'report_type' argument"],
    ['an unknown reason', { report_type: 'boredom' }, 'Invalid report_type'],
    [
      'a long description',
      { report_type: 'spam', description: 'x'.repeat(1_001) },
      'description is too long (limit: 1000 characters)',
    ],
  ])('with %s is refused', async (_name, form, msg) => {
    expect((await send('POST', '/messages/5/report', form)).json).toMatchObject({ result: 'error', msg });
  });
});

import { createEditWorld, type EditWorld } from '../../test/edit-world';
import { callerOf } from '../../test/start-messages';
import { diffHtml } from './diff-html';

let world: EditWorld;

beforeAll(async () => {
  world = await createEditWorld();
});
afterAll(() => world.network.stop());

const historyOf = async (messageId: number) =>
  (await world.network.client.getMessageHistory(callerOf(world.bob), { messageId })).snapshots;

async function editedMessage(topic: string): Promise<number> {
  const { ann, bob, lobby, other } = world;
  const id = await world.send(ann, lobby, topic, 'one');
  world.clock.advance(1_000);
  await world.edit(ann, id, { content: 'two', topic: `${topic}!`, propagateMode: 'change_all' });
  world.clock.advance(1_000);
  await world.edit(bob, id, { channelId: other.id });
  world.clock.advance(1_000);
  await world.edit(ann, id, { content: 'three' });
  return id;
}

test('the history begins with how the message was sent and goes on with how each edit left it', async () => {
  const { ann, bob, lobby, other } = world;
  const [sent, first, second, third, ...more] = await historyOf(await editedMessage('all'));
  expect(more).toEqual([]);
  expect(sent).toEqual({
    userId: ann.id,
    editedAtMs: world.clock.now() - 3_000,
    topic: 'all',
    content: 'one',
    renderedContent: '<p>one</p>',
  });
  expect(first).toMatchObject({
    userId: ann.id,
    editedAtMs: world.clock.now() - 2_000,
    topic: 'all!',
    prevTopic: 'all',
    content: 'two',
    prevContent: 'one',
    prevRenderedContent: '<p>one</p>',
    contentHtmlDiff:
      '<div><p><span class="highlight_text_deleted">one</span><span class="highlight_text_inserted">two</span></p></div>',
  });
  expect(second).toMatchObject({
    userId: bob.id,
    topic: 'all!',
    prevChannelId: lobby.id,
    channelId: other.id,
    content: 'two',
  });
  expect(second).not.toHaveProperty('prevContent');
  expect(third).toMatchObject({ content: 'three', prevContent: 'two' });
});

test('where only moves are shown, no content is, in the history as in the message', async () => {
  const id = await editedMessage('moves');
  world.network.realm.realm.settings = JSON.stringify({ message_edit_history_visibility_policy: 'moves' });
  const history = await historyOf(id);
  expect(history.map(({ topic, prevTopic }) => [topic, prevTopic])).toEqual([
    ['moves', undefined],
    ['moves!', 'moves'],
    ['moves!', undefined],
  ]);
  expect(history.some((snapshot) => 'content' in snapshot || 'prevContent' in snapshot)).toBe(false);
  const { edits } = await world.read(world.bob, id);
  expect(edits?.history).toHaveLength(2);
  expect(edits?.lastEditedAtMs).toBe(world.clock.now());
});

test('where nothing is shown it is refused, to everybody alike; when is told all the same', async () => {
  const id = await editedMessage('none');
  world.network.realm.realm.settings = JSON.stringify({ message_edit_history_visibility_policy: 'none' });
  await expect(historyOf(999_999)).rejects.toThrow('Message edit history is disabled in this organization');
  expect((await world.read(world.bob, id)).edits).toEqual({
    history: [],
    isHistoryShown: false,
    lastEditedAtMs: world.clock.now(),
    lastMovedAtMs: world.clock.now() - 1_000,
  });
  world.network.realm.realm.settings = '{}';
});

test('of what the caller may not read there is no history', async () => {
  const id = await world.send(world.ann, world.secret, 'secret');
  await expect(historyOf(id)).rejects.toThrow('Invalid message(s)');
});

test.each([
  ['<p>a b</p>', '<p>a b</p>', '<div><p>a b</p></div>'],
  ['<p>a</p>', '<p>a b</p>', '<div><p>a<span class="highlight_text_inserted"> b</span></p></div>'],
  ['<p>a b c</p>', '<p>a c</p>', '<div><p>a <span class="highlight_text_deleted">b </span>c</p></div>'],
  ['<p><b>a</b></p>', '<p>a</p>', '<div><p>a</p></div>'],
])('from %s to %s it is %s', (before, after, diff) => {
  expect(diffHtml(before, after)).toBe(diff);
});

test('a message cannot be edited any more once nobody could read all that it said', async () => {
  const { ann, bob, lobby } = world;
  const id = await world.send(ann, lobby, 'long');
  // Of each such character a hundred of HTML are made.
  const large = (start: string) => start + '😀'.repeat(9_900);
  for (const start of ['a', 'b', 'c', 'd', 'e', 'f']) await world.edit(ann, id, { content: large(start) });
  const refusal = { code: 'BAD_REQUEST', message: 'This message has been edited too often.' };
  await expect(world.edit(ann, id, { content: 'g' })).rejects.toMatchObject(refusal);
  await world.edit(ann, id, { topic: 'longer' });
  expect((await world.read(bob, id)).edits?.history).toHaveLength(7);
});

import { finish } from '@parley/shared/markdown';
import { createEditWorld, type EditWorld } from '../../test/edit-world';
import { callerOf } from '../../test/start-messages';
import { HtmlDiffs } from './diff-html';

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

test('if edits are not shown it is refused to all users; the edit time is returned nevertheless', async () => {
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

test('an unreadable message has no history', async () => {
  const id = await world.send(world.ann, world.secret, 'secret');
  await expect(historyOf(id)).rejects.toThrow('Invalid message(s)');
});

test('of the time in a channel hidden from the reader only the actor and time of the move out are shown', async () => {
  const { ann, bob, mod, lobby, secret, other, clock } = world;
  const id = await world.send(ann, lobby, 'before', 'open');
  await world.edit(ann, id, { content: 'open still' });
  await world.edit(mod, id, { topic: 'hidden', channelId: secret.id });
  await world.edit(ann, id, { content: 'a secret' });
  await world.edit(ann, id, { content: 'nothing' });
  await world.edit(mod, id, { topic: 'after', channelId: other.id, tellsNewTopic: true });
  const out = { userId: mod.id, editedAtMs: clock.now() };
  expect(await historyOf(id)).toMatchObject([
    { topic: 'before', content: 'open' },
    { topic: 'before', content: 'open still', prevContent: 'open' },
    { ...out, topic: 'after', content: 'nothing' },
  ]);
  const { edits } = await world.read(bob, id);
  expect(edits?.history).toEqual([out, expect.objectContaining({ prevContent: 'open' })]);
  const notice = (await world.inTopic(bob, other, 'after')).at(-1);
  expect(notice?.content).toContain('was moved here from a private channel by');
  for (const shown of [await historyOf(id), edits, notice]) {
    expect(JSON.stringify(shown)).not.toMatch(/hidden|a secret|Secret/);
    expect(JSON.stringify(shown)).not.toContain(`"prevChannelId":${secret.id}`);
  }
  expect((await world.read(ann, id)).edits?.history).toHaveLength(5);
});

test('the history of a message sent in a hidden channel begins with its move out', async () => {
  const { ann, mod, secret, other } = world;
  const id = await world.send(ann, secret, 'hidden', 'a secret');
  await world.edit(ann, id, { content: 'nothing' });
  await world.edit(mod, id, { topic: 'out', channelId: other.id });
  expect((await historyOf(id)).map(({ topic, content }) => [topic, content])).toEqual([
    ['out', 'nothing'],
    ['out', 'nothing'],
  ]);
});

test.each([
  ['<p>a b</p>', '<p>a b</p>', '<div><p>a b</p></div>'],
  ['<p>a</p>', '<p>a b</p>', '<div><p>a<span class="highlight_text_inserted"> b</span></p></div>'],
  ['<p>a b c</p>', '<p>a c</p>', '<div><p>a <span class="highlight_text_deleted">b </span>c</p></div>'],
  ['<p><b>a</b></p>', '<p>a</p>', '<div><p>a</p></div>'],
])('from %s to %s it is %s', (before, after, diff) => {
  expect(finish(new HtmlDiffs().diff(before, after))).toBe(diff);
});

const randomWords = (count: number) =>
  Array.from({ length: count }, () => Math.random().toString(36).charAt(5)).join(' ');

test('texts beyond the budget of a response are shown as replaced, with the tags of the new text', () => {
  const diffs = new HtmlDiffs();
  for (let count = 0; count < 3; count += 1)
    finish(diffs.diff(`<p>${randomWords(990)}</p>`, `<p>${randomWords(990)}</p>`));
  expect(finish(diffs.diff('<p>a <b>b</b></p>', '<p>a <i>c</i></p>'))).toBe(
    '<div><span class="highlight_text_deleted">a b</span><p><span class="highlight_text_inserted">a </span>' +
      '<i><span class="highlight_text_inserted">c</span></i></p></div>',
  );
});

test('the history of a message that was rewritten nine hundred times is compared within one budget', async () => {
  const { ann, bob, lobby, network } = world;
  const id = await world.send(ann, lobby, 'rewritten', randomWords(990));
  // The maximum number of bytes in a history.
  const texts = Array.from({ length: 900 }, () => randomWords(990));
  await network.service.db.query(
    `insert into message_edit (realm_id, message_id, edit_id, actor_id, edited_at, prev_content, prev_rendered_content)
     select $1, $2, -n, $3, now(), text, '<p>' || text || '</p>' from unnest($4::text[]) with ordinality t (text, n)`,
    [ann.realmId, id, ann.id, texts],
  );
  const before = process.cpuUsage();
  const { snapshots } = await network.client.getMessageHistory(callerOf(bob), { messageId: id });
  const { user, system } = process.cpuUsage(before);
  expect(snapshots).toHaveLength(901);
  for (const { prevContent, contentHtmlDiff } of snapshots.slice(1)) {
    expect(prevContent).not.toBe('');
    expect(contentHtmlDiff).toContain('highlight_text_deleted');
  }
  expect((user + system) / 1_000).toBeLessThan(5_000);
});

test('a message cannot be edited once its history is larger than a response', async () => {
  const { ann, bob, lobby } = world;
  const id = await world.send(ann, lobby, 'long');
  // Each of these characters becomes about a hundred of HTML.
  const large = (start: string) => start + '😀'.repeat(9_900);
  for (const start of ['a', 'b', 'c', 'd', 'e', 'f']) await world.edit(ann, id, { content: large(start) });
  const refusal = { code: 'BAD_REQUEST', message: 'This message has been edited too often.' };
  await expect(world.edit(ann, id, { content: 'g' })).rejects.toMatchObject(refusal);
  await world.edit(ann, id, { topic: 'longer' });
  expect((await world.read(bob, id)).edits?.history).toHaveLength(7);
});

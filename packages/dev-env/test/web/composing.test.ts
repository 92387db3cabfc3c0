import {
  archiveChannel,
  createChannel,
  createScheduledMessage,
  deleteMessage,
  deleteScheduledMessage,
  editMessage,
  getDrafts,
  getMessages,
  getReminders,
  getScheduledMessages,
  sendMessage,
  unsubscribe,
  updateUserSettings,
} from '@parley/gateway/endpoints';
import type { Page } from 'playwright-core';
import type { TestNetwork } from '../../src';
import { act, choose, goTo, hasFocus, messageWith } from './on-page';
import { beforeTests, type WebPeople } from './web-people';

let network: TestNetwork;
let people: WebPeople;
beforeTests((made) => {
  ({ network, people } = made);
});

const fieldOf = (page: Page) => page.getByRole('form').getByRole('textbox', { name: /^Message/ });
const optionOf = (page: Page, name: RegExp) => page.getByRole('option', { name });

/** Waits until the text field has such a text. */
async function untilWritten(page: Page, text: RegExp): Promise<void> {
  await page.waitForFunction((pattern) => {
    const { document } = globalThis as unknown as {
      document: { querySelector(name: string): { value: string } | null };
    };
    return new RegExp(pattern).test(document.querySelector('textarea')?.value ?? '');
  }, text.source);
}

/** A topic's messages, as the server has them. */
async function contentsIn(topic: string): Promise<string[]> {
  const narrow = [
    { operator: 'channel', operand: 'general' },
    { operator: 'topic', operand: topic },
  ];
  const page = { anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false, narrow };
  const { messages } = await network.dan.call(getMessages, page as never);
  return (messages as { content: string }[]).map(({ content }) => content);
}

test('people, emoji, channels and topics are suggested and taken with keys alone', async () => {
  const { page, complaints } = await people.open(network.dan, '#feed');
  await page.keyboard.press('c');
  await page.keyboard.type('gen');
  await optionOf(page, /general/).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('planning');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Hello @eve');
  await optionOf(page, /Eve/).locator('img').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type(':tada');
  await optionOf(page, /:tada:/).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('\n```pyth');
  await optionOf(page, /^python$/).waitFor();
  await page.keyboard.press('Enter');
  // The closing fence has come with the language, and is typed nevertheless.
  await page.keyboard.type('1\n```');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('article').getByText('@Eve Castillo').waitFor();
  expect(await contentsIn('planning')).toEqual(['Hello @**Eve Castillo** :tada: \n```python\n1\n```']);
  expect(page.url()).toContain('/topic/planning');
  expect(complaints).toEqual([]);
});

/** Loses the first two answers to messages after they were taken, and holds events back until the third. */
function loseAnswers(): void {
  const really = globalThis.fetch;
  const keys: unknown[] = [];
  Object.assign(globalThis, { keys });
  // Without the worker, the page fetches its events itself.
  Reflect.deleteProperty(globalThis, 'SharedWorker');
  globalThis.fetch = async (input, init) => {
    const answer = await really(input, init);
    while (String(input).includes('/json/events') && keys.length < 3)
      await new Promise((resolve) => setTimeout(resolve, 50));
    if (init?.method !== 'POST' || !String(input).endsWith('/json/messages')) return answer;
    keys.push(new Headers(init.headers).get('idempotency-key'));
    if (keys.length < 3) throw new TypeError('the connection was reset');
    return answer;
  };
}

test('a message whose answer is lost is sent again with the same key, and is there once', async () => {
  const { page } = await people.open(network.dan, '#narrow/channel/1-general/topic/lost');
  await page.addInitScript(loseAnswers);
  await page.reload();
  await fieldOf(page).fill('Once');
  await page.keyboard.press('Control+Enter');
  await page.getByText(/tried again by itself/).waitFor();
  await page.getByText(/tried again by itself/).waitFor({ state: 'detached' });
  await page.getByRole('article').getByText('Once').waitFor();
  const keys = await page.evaluate(() => (globalThis as unknown as { keys: string[] }).keys);
  expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  expect(await contentsIn('lost')).toEqual(['Once']);
});

test('without a network messages wait, and are sent in their order when it is back', async () => {
  const { page, context } = await people.open(network.dan, '#narrow/channel/1-general/topic/waiting');
  await fieldOf(page).waitFor();
  await context.setOffline(true);
  for (const content of ['One', 'Two', 'Three']) {
    await fieldOf(page).fill(content);
    await page.keyboard.press('Control+Enter');
  }
  await page
    .getByText(/tried again by itself/)
    .first()
    .waitFor();
  // Reloading is impossible without a network; what is unsent outlives it all the same.
  await context.setOffline(false);
  await page.reload();
  await page
    .getByText(/tried again by itself/)
    .first()
    .waitFor({ state: 'detached' });
  await page.locator('article:not(.outgoing)').getByText('Three').waitFor();
  expect(await contentsIn('waiting')).toEqual(['One', 'Two', 'Three']);
});

test('a draft is kept on the server, is there in another tab, and ends when the message is sent', async () => {
  const hash = '#narrow/channel/1-general/topic/draft';
  const { page, context } = await people.open(network.eve, hash);
  await fieldOf(page).fill('Half a thought');
  await page.waitForResponse((response) => response.url().endsWith('/json/drafts') && response.ok());
  const other = await context.newPage();
  await other.goto(page.url());
  await untilWritten(other, /^Half a thought$/);
  expect((await network.eve.call(getDrafts, {})).drafts).toMatchObject([{ topic: 'draft', content: 'Half a thought' }]);
  await other.goto(`${new URL(page.url()).origin}/#drafts`);
  await other.getByRole('button', { name: 'Half a thought' }).click();
  await fieldOf(other).press('Control+Enter');
  await page.getByRole('article').getByText('Half a thought').waitFor();
  await other.getByRole('article').getByText('Half a thought').waitFor();
  await untilWritten(page, /^$/);
  expect(await contentsIn('draft')).toEqual(['Half a thought']);
});

test('a draft that is begun in one tab is gone on with in another that was open before', async () => {
  const { page, context } = await people.open(network.eve, '#narrow/channel/1-general/topic/two');
  await fieldOf(page).waitFor();
  const other = await context.newPage();
  await other.goto(page.url());
  await fieldOf(other).waitFor();
  await fieldOf(page).fill('Begun here');
  await untilWritten(other, /^Begun here$/);
  await fieldOf(other).fill('Begun here, ended there');
  await untilWritten(page, /^Begun here, ended there$/);
  const { drafts } = await network.eve.call(getDrafts, {});
  expect(drafts.filter(({ topic }) => topic === 'two')).toHaveLength(1);
  await fieldOf(other).press('Control+Enter');
  await messageWith(page, 'Begun here, ended there').waitFor();
  await untilWritten(page, /^$/);
});

test('a draft of what was sent without a network ends when there is one again', async () => {
  const { page, context } = await people.open(network.dan, '#narrow/channel/1-general/topic/away');
  await fieldOf(page).fill('Sent on a train');
  await page.waitForResponse((response) => response.url().endsWith('/json/drafts') && response.ok());
  await context.setOffline(true);
  await fieldOf(page).press('Control+Enter');
  await page.getByText(/tried again by itself/).waitFor();
  await context.setOffline(false);
  await page.locator('article:not(.outgoing)').getByText('Sent on a train').waitFor();
  await page.evaluate("location.hash = '#drafts'");
  await page.getByText('There are no drafts.').waitFor();
  expect((await network.dan.call(getDrafts, {})).drafts).toEqual([]);
});

test('drafts that somebody does not want on the server are kept in the browser, those from before as well', async () => {
  const { page, context } = await people.open(network.eve, '#narrow/channel/1-general/topic/early');
  await fieldOf(page).fill('Early words');
  await page.waitForResponse((response) => response.url().endsWith('/json/drafts') && response.ok());
  await network.eve.call(updateUserSettings, { enable_drafts_synchronization: false });
  await network.settle();
  await page.evaluate("location.hash = '#narrow/channel/1-general/topic/private'");
  await page.getByRole('heading', { level: 1, name: /private/ }).waitFor();
  await fieldOf(page).fill('Between us');
  await page.reload();
  await untilWritten(page, /^Between us$/);
  await page.evaluate("location.hash = '#inbox'");
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page.keyboard.press('x');
  await page.keyboard.type('dan');
  await optionOf(page, /Dan Brooks/).waitFor();
  await page.keyboard.press('Enter');
  await fieldOf(page).fill('Psst');
  await page.keyboard.press('Escape');
  await page.getByText('Kept as a draft').waitFor();
  await page.evaluate("location.hash = '#drafts'");
  const texts = () => page.locator('.draft-text').allInnerTexts();
  await page.getByRole('button', { name: 'Psst' }).waitFor();
  expect((await texts()).sort()).toEqual(['Between us', 'Early words', 'Psst']);
  await page.getByRole('button', { name: 'Early words' }).click();
  await untilWritten(page, /^Early words$/);
  await fieldOf(page).press('Control+Enter');
  await messageWith(page, 'Early words').waitFor();
  await page.evaluate("location.hash = '#drafts'");
  await page.getByRole('button', { name: 'Psst' }).waitFor();
  expect((await texts()).sort()).toEqual(['Between us', 'Psst']);
  await network.eve.call(updateUserSettings, { enable_drafts_synchronization: true });
  expect((await network.eve.call(getDrafts, {})).drafts).toEqual([]);
  await context.close();
});

test('a draft that could not be deleted is not said to be', async () => {
  const { page, context } = await people.open(network.faye, '#narrow/channel/1-general/topic/kept');
  await fieldOf(page).fill('Still here');
  await page.waitForResponse((response) => response.url().endsWith('/json/drafts') && response.ok());
  await page.evaluate("location.hash = '#drafts'");
  await page.getByRole('button', { name: 'Delete' }).waitFor();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.locator('.notices .error').waitFor();
  expect(await page.getByText('Deleted', { exact: true }).count()).toBe(0);
});

test('the topic that is typed after the text is kept with it, and may begin like another one', async () => {
  await network.dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'budget of May', content: 'Sums' });
  const { page, context } = await people.open(network.iris, '#narrow/channel/1-general');
  const isKept = () => page.waitForResponse((response) => /\/json\/drafts/.test(response.url()) && response.ok());
  const topic = page.getByRole('combobox', { name: /^Topic/ });
  await Promise.all([isKept(), fieldOf(page).fill('What is left?')]);
  await topic.pressSequentially('budget');
  await optionOf(page, /budget of May/).waitFor();
  await Promise.all([isKept(), page.keyboard.press('Tab')]);
  expect((await network.iris.call(getDrafts, {})).drafts).toMatchObject([{ topic: 'budget' }]);
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/\/topic\/budget$/);
  await page.locator('article:not(.outgoing)').getByText('What is left?').waitFor();
  expect(await contentsIn('budget')).toEqual(['What is left?']);
  // A topic that is there is taken by its name, however it is written.
  const other = await context.newPage();
  await other.goto(page.url().replace(/\/topic.*/, ''));
  await other.getByRole('combobox', { name: /^Topic/ }).pressSequentially('BUDGET');
  await optionOf(other, /^budget$/).waitFor();
  await other.keyboard.press('Tab');
  expect(await other.getByRole('combobox', { name: /^Topic/ }).inputValue()).toBe('budget');
});

/** Pastes a picture, and what an office program has put beside it. */
function paste(texts: Readonly<Record<string, string>>): void {
  const { DataTransfer, ClipboardEvent, document } = globalThis as unknown as {
    DataTransfer: new () => { setData(type: string, text: string): void; items: { add(file: File): void } };
    ClipboardEvent: new (type: string, init: object) => Event;
    document: { activeElement: EventTarget };
  };
  const clipboardData = new DataTransfer();
  for (const [type, text] of Object.entries(texts)) clipboardData.setData(type, text);
  clipboardData.items.add(new File(['cells'], 'image.png', { type: 'image/png' }));
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  Object.assign(globalThis, { isPastedByBrowser: document.activeElement.dispatchEvent(event) });
}

test('cells of a table are pasted as their text, and pictures as files', async () => {
  const { page } = await people.open(network.dan, '#narrow/channel/1-general/topic/cells');
  await fieldOf(page).focus();
  await page.evaluate(paste, { 'text/html': '<table><td>a<td>b</table>', 'text/plain': 'a\tb' });
  expect(await page.evaluate('isPastedByBrowser')).toBe(true);
  await page.evaluate(paste, { 'text/html': '<img src="https://example.com/image.png">' });
  expect(await page.evaluate('isPastedByBrowser')).toBe(false);
  await untilWritten(page, /^\[image\.png\]\(\/user_uploads[^)]*\) $/);
});

const leadingTo = (content: string, topic: string) =>
  network.dan.call(sendMessage, { type: 'channel', to: 'general', topic, content });

test('what is written goes along with a topic that is moved, and can be written on', async () => {
  const { id } = await leadingTo('Where to?', 'departure');
  const { page, complaints } = await people.open(network.eve, '#narrow/channel/1-general/topic/departure');
  await messageWith(page, 'Where to?').waitFor();
  await fieldOf(page).focus();
  await page.keyboard.type('To the ');
  await network.dan.call(editMessage, {
    message_id: id,
    topic: '✔ departure',
    propagate_mode: 'change_all',
  });
  await page.getByRole('heading', { level: 1, name: '✔ departure' }).waitFor();
  await hasFocus(fieldOf(page));
  await page.keyboard.type('sea');
  await untilWritten(page, /^To the sea$/);
  await page.waitForResponse((response) => /\/json\/drafts/.test(response.url()) && response.ok());
  expect((await network.eve.call(getDrafts, {})).drafts).toMatchObject([{ topic: '✔ departure' }]);
  await page.keyboard.press('Control+Enter');
  await page.locator('article:not(.outgoing)').getByText('To the sea').waitFor();
  expect(await contentsIn('✔ departure')).toContain('To the sea');
  expect(complaints).toEqual([]);
});

test('what is written in place of a message that is deleted meanwhile is kept', async () => {
  const { id } = await leadingTo('First version', 'versions');
  const { page, complaints } = await people.open(network.dan, '#narrow/channel/1-general/topic/versions');
  await act(messageWith(page, 'First version'), 'Edit');
  // Others have been told of it, and are not any more when the message is deleted.
  const isTold = page.waitForResponse((response) => response.url().endsWith(`/messages/${id}/typing`));
  await page.getByRole('textbox', { name: 'Text of the message' }).fill('A much longer version');
  await isTold;
  await network.iris.call(deleteMessage, { message_id: id });
  await page.getByText('The message was deleted. What you have written is kept as a draft.').waitFor();
  await page.getByRole('textbox', { name: 'Text of the message' }).waitFor({ state: 'detached' });
  await untilWritten(page, /^A much longer version$/);
  expect(complaints).toEqual([]);
});

test('what is written to a channel that is archived, or seen no longer, can be sent elsewhere', async () => {
  const { iris, dan } = network;
  const members = { subscribers: [iris.userId, dan.userId] };
  const { id: cellar } = await iris.call(createChannel, { name: 'cellar', invite_only: true, ...members });
  const { id: attic } = await iris.call(createChannel, { name: 'attic', ...members });
  const person = await people.open(dan, `#narrow/channel/${cellar}-cellar/topic/wine`);
  const { page, complaints } = person;
  // Others are told that the person writes, which would be refused after the channel has gone.
  const writeAndTell = async (text: string) => {
    const isTold = page.waitForResponse((response) => response.url().endsWith('/typing'));
    await fieldOf(page).fill(text);
    await isTold;
  };
  await writeAndTell('Bring wine.');
  await iris.call(unsubscribe, { subscriptions: ['cellar'], principals: [dan.userId] });
  await page.getByRole('heading', { name: 'Not found' }).waitFor();

  await goTo(person, `#narrow/channel/${attic}-attic/topic/dust`);
  await writeAndTell('Sweep it.');
  await iris.call(archiveChannel, { stream_id: attic });
  await page.getByRole('button', { name: 'Send the text elsewhere' }).click();
  await untilWritten(page, /^Sweep it\.$/);
  await goTo(person, '#drafts');
  await page.getByRole('button', { name: 'Bring wine.' }).click();
  await untilWritten(page, /^Bring wine\.$/);
  expect(complaints).toEqual([]);
});

test('files are uploaded, previewed as links, and sent', async () => {
  const { page, complaints } = await people.open(network.dan, '#narrow/channel/1-general/topic/files');
  const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') };
  await page
    .getByRole('form')
    .locator('input[type=file]')
    .setInputFiles([file, { ...file, name: 'Übersicht [2] 学.txt' }]);
  await untilWritten(page, /plan\.txt\]\(\/user_uploads.*\[Übersicht 2 学\.txt\]\(\/user_uploads/);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('region', { name: 'Preview' }).getByRole('link', { name: 'plan.txt' }).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('article').getByRole('link', { name: 'Übersicht 2 学.txt' }).waitFor();
  expect(complaints).toEqual([]);
});

test('a message is scheduled, and sent at once from the list', async () => {
  const { page } = await people.open(network.dan, '#narrow/channel/1-general/topic/later');
  await fieldOf(page).fill('Later');
  await page.getByRole('button', { name: 'Send later' }).click();
  await page.getByRole('menuitem', { name: /Tomorrow/ }).click();
  await page.getByText(/It will be sent/).waitFor();
  expect((await network.dan.call(getScheduledMessages, {})).scheduled_messages).toMatchObject([{ content: 'Later' }]);
  await page.goto(`${new URL(page.url()).origin}/#scheduled`);
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.getByText('No messages are scheduled.').waitFor();
  expect(await contentsIn('later')).toEqual(['Later']);
});

test('a message that becomes due while it is sent at once is sent once', async () => {
  const { dan } = network;
  const { page } = await people.open(dan, '#scheduled');
  // The page's request comes when the message has been sent by itself.
  await page.route('**/json/scheduled_messages/*', async (route) => {
    await expect(page.getByText('No messages are scheduled.').waitFor()).resolves.toBeUndefined();
    await route.continue();
  });
  const due = { scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 4 };
  await dan.call(createScheduledMessage, { type: 'channel', to: 1, topic: 'once', content: 'Once', ...due });
  const refused = page.waitForResponse('**/json/scheduled_messages/*');
  await page.getByRole('button', { name: 'Send now' }).click();
  expect((await refused).status()).toBe(400);
  expect(await contentsIn('once')).toEqual(['Once']);
});

test('what was taken back is scheduled anew, and the same text to somebody else as well', async () => {
  const { dan, eve, iris } = network;
  const { page } = await people.open(dan, `#narrow/dm/${eve.userId}-eve`);
  const schedule = async () => {
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('menuitem', { name: /Tomorrow/ }).click();
    await untilWritten(page, /^$/);
  };
  const destinations = async () =>
    (await dan.call(getScheduledMessages, {})).scheduled_messages.map(({ content, to }) => [content, to]);
  await fieldOf(page).fill('Happy birthday!');
  await schedule();
  await page.goto(`${new URL(page.url()).origin}/#scheduled`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await untilWritten(page, /birthday/);
  expect(await destinations()).toEqual([]);
  await schedule();
  expect(await destinations()).toEqual([['Happy birthday!', [eve.userId]]]);
  await page.goto(`${new URL(page.url()).origin}/#narrow/dm/${iris.userId}-iris`);
  await fieldOf(page).fill('Happy birthday!');
  await schedule();
  expect(await destinations()).toEqual([
    ['Happy birthday!', [eve.userId]],
    ['Happy birthday!', [iris.userId]],
  ]);
});

test('what is taken back is kept where the answer is lost', async () => {
  const { faye, dan } = network;
  const { page } = await people.open(faye, '#scheduled');
  // It is done, as by a server that cannot be reached afterwards.
  await page.route('**/json/scheduled_messages/*', async (route) => {
    await faye.call(deleteScheduledMessage, { scheduled_message_id: Number(route.request().url().split('/').at(-1)) });
    await route.abort();
  });
  const tomorrow = { scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 86_400 };
  await faye.call(createScheduledMessage, { type: 'direct', to: [dan.userId], content: 'Many words', ...tomorrow });
  await page.getByRole('button', { name: 'Edit' }).click();
  await untilWritten(page, /Many words/);
  expect((await faye.call(getScheduledMessages, {})).scheduled_messages).toEqual([]);
});

test('two quick clicks on a time set one reminder', async () => {
  const { id } = await network.eve.call(sendMessage, { type: 'direct', to: [network.dan.userId], content: 'Water?' });
  const { page } = await people.open(network.dan, `#narrow/dm/${network.eve.userId}-eve/near/${id}`);
  await choose(page, messageWith(page, 'Water?'), 'Remind me');
  const tomorrow = page.getByRole('dialog').getByRole('button', { name: /Tomorrow/ });
  await tomorrow.evaluate((button: { click(): void }) => {
    button.click();
    button.click();
  });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goto(`${new URL(page.url()).origin}/#reminders`);
  await page.getByText('Water?').waitFor();
  expect((await network.dan.call(getReminders, {})).reminders).toHaveLength(1);
});

test('mentions of people who do not read the channel are noticed, and they can be added', async () => {
  const { page } = await people.open(network.iris, '#feed');
  await page.keyboard.press('c');
  await page.keyboard.type('leads');
  await optionOf(page, /leads/).click();
  await fieldOf(page).fill('@**Eve Castillo** and #**leads**');
  await page.getByText(/Eve Castillo is not in this channel/).waitFor();
  await page.getByRole('button', { name: 'Add Eve Castillo' }).click();
  await page.getByText(/Eve Castillo is not in this channel/).waitFor({ state: 'detached' });
});

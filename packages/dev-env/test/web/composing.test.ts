import { getDrafts, getMessages, getScheduledMessages } from '@parley/gateway/endpoints';
import type { Page } from 'playwright-core';
import { TestNetwork } from '../../src';
import { INSTALLING_MS } from '../../src/network/chromium';
import { type WebPeople, webPeopleOf } from './web-people';

let network: TestNetwork;
let people: WebPeople;
beforeAll(async () => {
  network = await TestNetwork.create({ settings: { DEV_LOGIN: '1' } });
  people = await webPeopleOf(network);
}, INSTALLING_MS);
afterAll(async () => {
  await people?.close();
  await network?.stop();
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

test('files are uploaded, previewed as links, and sent', async () => {
  const { page, complaints } = await people.open(network.dan, '#narrow/channel/1-general/topic/files');
  const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') };
  await page
    .getByRole('form')
    .locator('input[type=file]')
    .setInputFiles([file, { ...file, name: 'other.txt' }]);
  await untilWritten(page, /plan\.txt\]\(\/user_uploads.*other\.txt\]\(\/user_uploads/);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('region', { name: 'Preview' }).getByRole('link', { name: 'plan.txt' }).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('article').getByRole('link', { name: 'other.txt' }).waitFor();
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

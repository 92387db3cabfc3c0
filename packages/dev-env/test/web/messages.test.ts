import {
  addAlertWords,
  archiveChannel,
  createChannel,
  deleteMessage,
  sendMessage,
  updateUserSettings,
} from '@parley/gateway/endpoints';
import type { Locator } from 'playwright-core';
import type { TestNetwork } from '../../src';
import { act, choose, hasFocus, messageWith } from './on-page';
import { beforeTests, type WebPeople } from './web-people';

let network: TestNetwork;
let people: WebPeople;
beforeTests((made) => {
  ({ network, people } = made);
});

const said = (content: string, topic: string) =>
  network.dan.call(sendMessage, { type: 'channel', to: 'general', topic, content });

const channelOf = (name: string) =>
  network.iris.call(createChannel, { name, subscribers: [network.iris.userId, network.dan.userId] });

const at = (topic: string) => `#narrow/channel/1-general/topic/${topic}`;

/** Notes where the cursor is at the moment at which the text of a message can be changed, before the page is drawn. */
function noteCursor(): void {
  interface Field {
    readonly selectionStart: number;
  }
  const { MutationObserver, document } = globalThis as unknown as {
    MutationObserver: new (look: () => void) => { observe(node: unknown, options: object): void };
    document: { activeElement: Field; body: unknown; querySelector(name: string): Field | null };
  };
  const look = () => {
    const field = document.querySelector('.edit-box textarea');
    if (!field || 'cursor' in globalThis) return;
    Object.assign(globalThis, { cursor: document.activeElement === field ? field.selectionStart : 'elsewhere' });
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}

test('the cursor is at the end of a message as soon as its text can be changed', async () => {
  await said('Fourteen signs', 'cursor');
  const { page, context } = await people.open(network.dan, at('cursor'));
  await page.evaluate(noteCursor);
  await act(messageWith(page, 'Fourteen signs'), 'Edit');
  await page.getByRole('textbox', { name: 'Text of the message' }).waitFor();
  expect(await page.evaluate('cursor')).toBe('Fourteen signs'.length);
  await context.close();
});

test('a topic that is resolved with the button above it can be unresolved with the next key', async () => {
  await said('Done?', 'chores');
  const { page, context, complaints } = await people.open(network.dan, at('chores'));
  const button = (name: string) => page.locator('header.place').getByRole('button', { name, exact: true });
  await button('Mark the topic as resolved').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: '✔ chores' }).waitFor();
  await hasFocus(button('Mark the topic as not resolved'));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /› chores$/ }).waitFor();
  await hasFocus(button('Mark the topic as resolved'));
  expect(complaints).toEqual([]);
  await context.close();
});

test('a view follows its topic also before the messages of its last name have come', async () => {
  await said('Done?', 'errands');
  const { page, context } = await people.open(network.dan, at('errands'));
  await messageWith(page, 'Done?').waitFor();
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/json/messages?*', async (route) => {
    if (decodeURIComponent(route.request().url()).includes('✔')) await held;
    await route.continue();
  });
  const press = (name: string) => page.locator('header.place').getByRole('button', { name, exact: true }).click();
  await press('Mark the topic as resolved');
  await page.getByRole('heading', { level: 1, name: '✔ errands' }).waitFor();
  await press('Mark the topic as not resolved');
  await page.getByRole('heading', { level: 1, name: /› errands$/ }).waitFor();
  letGo();
  await messageWith(page, 'Done?').waitFor();
  await context.close();
});

test('what is open for a message closes when the message is deleted, and the next one is chosen', async () => {
  const { page, context, complaints } = await people.open(network.dan, at('short'));
  const openings: readonly (readonly [string, (message: Locator) => Promise<void>, Locator])[] = [
    ['Menu', (message) => act(message, 'More actions'), page.getByRole('menu')],
    ['Emoji', (message) => act(message, 'Add a reaction'), page.getByRole('group', { name: 'Emoji' })],
    ['Move', (message) => choose(page, message, 'Move'), page.getByRole('dialog')],
    ['Question', (message) => choose(page, message, 'Delete message'), page.getByRole('dialog')],
  ];
  for (const [content, open, opened] of openings) {
    const { id } = await said(content, 'short');
    await said(`After: ${content.toLowerCase()}`, 'short');
    const next = messageWith(page, `After: ${content.toLowerCase()}`);
    await next.waitFor();
    await open(messageWith(page, content).first());
    await opened.waitFor();
    await network.iris.call(deleteMessage, { message_id: id });
    await opened.waitFor({ state: 'detached' });
    await hasFocus(next);
  }
  await page.getByText('The message was deleted.').first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('moving ends with the right to move: when the channel is archived; one that was chosen is chosen no longer', async () => {
  const [{ id: fromId }, { id: toId }] = [await channelOf('harbor'), await channelOf('lighthouse')];
  await network.dan.call(sendMessage, { type: 'channel', to: 'harbor', topic: 'boats', content: 'They are late.' });
  const { page, context, complaints } = await people.open(network.dan, `#narrow/channel/${fromId}-harbor/topic/boats`);
  await choose(page, messageWith(page, 'They are late.'), 'Move');
  const dialog = page.getByRole('dialog', { name: 'Move' });
  const chosen = dialog.getByRole('combobox', { name: /^Channel/ });
  await chosen.selectOption('lighthouse');
  await network.iris.call(archiveChannel, { stream_id: toId });
  await chosen.getByRole('option', { name: 'lighthouse' }).waitFor({ state: 'detached' });
  expect(await chosen.inputValue()).toBe(String(fromId));
  await network.iris.call(archiveChannel, { stream_id: fromId });
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('This message can no longer be moved.').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('a long message shows its beginning, and the rest when it is asked for', async () => {
  const lines = Array.from({ length: 90 }, (_, line) => `Line ${line + 1}`);
  await said(lines.join('\n'), 'long');
  await said('A short one', 'long');
  const { page, context, complaints } = await people.open(network.dan, at('long'));
  const message = messageWith(page, 'Line 1');
  const heightOf = async () => (await message.boundingBox())?.height ?? 0;
  await message.getByRole('button', { name: 'Show more' }).waitFor();
  const folded = await heightOf();
  await message.getByRole('button', { name: 'Show more' }).click();
  await message.getByRole('button', { name: 'Show less' }).waitFor({ state: 'attached' });
  expect(await heightOf()).toBeGreaterThan(2 * folded);
  // What was read last stays where it was: it continues below.
  await message.getByText('Line 1', { exact: false }).first().waitFor();
  await message.getByRole('button', { name: 'Show less' }).click();
  await message.getByRole('button', { name: 'Show more' }).waitFor();
  expect(await heightOf()).toBe(folded);
  expect(await messageWith(page, 'A short one').getByRole('button', { name: 'Show more' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

/** Where the first and the last sign of the text in an element are, from the left. */
function ends(element: unknown): [first: number, last: number] {
  interface Text {
    textContent: string;
  }
  const { document, Range } = globalThis as unknown as {
    document: { createTreeWalker(root: unknown, kind: number): { nextNode(): Text | null } };
    Range: new () => {
      setStart(node: Text, at: number): void;
      setEnd(node: Text, at: number): void;
      getBoundingClientRect(): { left: number };
    };
  };
  const text = document.createTreeWalker(element, 4).nextNode() as Text;
  const leftOf = (at: number) => {
    const range = new Range();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect().left;
  };
  return [leftOf(text.textContent.search(/[א-ת]/)), leftOf(text.textContent.lastIndexOf('!'))];
}

test('what somebody has opened in a message stays as it is when another person is renamed', async () => {
  await said('```spoiler Who won?\nNobody.\n```', 'match');
  const { page, context } = await people.open(network.iris, at('match'));
  await page.getByRole('button', { name: 'Show' }).click();
  const opened = page.getByRole('article').getByText('Nobody.');
  await opened.waitFor();
  await network.eve.call(updateUserSettings, { full_name: 'Eve Renamed' });
  await page.getByRole('complementary').getByText('Eve Renamed').first().waitFor();
  await network.eve.call(updateUserSettings, { full_name: 'Eve Castillo' });
  await page.getByRole('complementary').getByText('Eve Castillo').first().waitFor();
  expect(await opened.isVisible()).toBe(true);
  await context.close();
});

test('alert words are marked where they are', async () => {
  await network.eve.call(addAlertWords, { alert_words: ['pangolin'] });
  await said('A Pangolin sleeps near pangolins.', 'zoo');
  const { page, context } = await people.open(network.eve, at('zoo'));
  await messageWith(page, 'sleeps').locator('.highlight').waitFor();
  expect(await page.locator('.highlight').allInnerTexts()).toEqual(['Pangolin']);
  await context.close();
});

test('names and paragraphs from right to left end at their left', async () => {
  await said('English first\n\nשלום עולם!', 'תוכנית!');
  await said('```spoiler סוד!\nשלום\n```', 'תוכנית!');
  const { page, context } = await people.open(network.dan, at('.D7.AA.D7.95.D7.9B.D7.A0.D7.99.D7.AA.21'));
  await messageWith(page, 'English first').waitFor();
  const parts = [
    page.getByRole('navigation').locator('.label', { hasText: 'תוכנית!' }),
    page.getByRole('heading', { level: 1 }),
    page.getByRole('article').getByText('שלום עולם!'),
    page.getByRole('article').getByText('סוד!'),
  ];
  for (const part of parts) {
    const [first, last] = await part.evaluate(ends);
    expect({ part: await part.innerText(), isAtLeft: last < first }).toMatchObject({ isAtLeft: true });
  }
  // It stands where the others do.
  const [name] = parts as [Locator];
  const { x = 0 } = (await name.boundingBox()) ?? {};
  expect((await name.evaluate(ends))[1] - x).toBeLessThan(12);
  // The box of a hidden text has the direction of the message, whatever the language of its button.
  await page.locator('.spoiler-header:dir(rtl)').waitFor();
  await context.close();
});

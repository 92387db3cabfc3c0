import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createChannel,
  createGroup,
  findChannel,
  sendMessage,
  updateRealm,
  updateUserSettings,
} from '@parley/gateway/endpoints';
import type { Page } from 'playwright-core';
import { TestNetwork } from '../../src';
import { INSTALLING_MS } from '../../src/network/chromium';
import { mailedKey } from '../mail-folder';
import { choose, expectCalm, goTo, hasFocus, messageWith, write, writingField } from './on-page';
import { HOME, type WebPeople, type WebPerson, watched, webPeopleOf } from './web-people';

const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'parley-web-'));
const MAILS = path.join(DATA_DIR, 'mail');

let network: TestNetwork;
let people: WebPeople;
let dan: WebPerson;
let eve: WebPerson;
let channelId: number;
beforeAll(async () => {
  await mkdir(MAILS);
  network = await TestNetwork.create({ settings: { DEV_LOGIN: '1', DATA_DIR, WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  people = await webPeopleOf(network);
  ({ stream_id: channelId } = await network.dan.call(findChannel, { stream: 'general' }));
  [dan, eve] = await Promise.all([people.open(network.dan), people.open(network.eve)]);
}, INSTALLING_MS);
afterAll(async () => {
  await people?.close();
  await network?.stop();
  await rm(DATA_DIR, { recursive: true });
});

const addressOf = (topic: string) => `#narrow/channel/${channelId}-general/topic/${topic}`;
const say = (topic: string, content: string) =>
  network.iris.call(sendMessage, { type: 'channel', to: 'general', topic, content });
const left = (page: Page) => page.getByRole('navigation', { name: 'Channels' });

test('messages that are moved leave where others look, and are where they belong', async () => {
  await say('printer', 'It is jammed.');
  await say('printer', 'And the coffee is cold.');
  await Promise.all([dan, eve].map((each) => goTo(each, addressOf('printer'))));
  const { page } = dan;
  await choose(page, messageWith(page, 'coffee is cold'), 'Move');
  const dialog = page.getByRole('dialog', { name: 'Move' });
  await dialog.getByRole('combobox', { name: /^Topic/ }).fill('coffee');
  await dialog.getByText('Only this message').click();
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await messageWith(eve.page, 'coffee is cold').waitFor({ state: 'detached' });
  await left(eve.page)
    .getByRole('link', { name: /^coffee/ })
    .click();
  await messageWith(eve.page, 'coffee is cold').waitFor();
  expectCalm(dan, eve);
});

test('a new name is seen by others at once', async () => {
  await goTo(dan, '#settings/profile');
  await dan.page.getByRole('button', { name: 'Change: Name' }).click();
  await dan.page.getByRole('dialog').getByLabel('Name').fill('Daniel Brooks');
  await dan.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await eve.page
    .getByRole('complementary', { name: 'People' })
    .getByRole('link', { name: /Daniel Brooks/ })
    .waitFor();
  await network.dan.call(updateUserSettings, { full_name: 'Dan Brooks' });
  expectCalm(dan, eve);
});

test('where visitors are admitted, whoever is not signed in is asked to sign in', async () => {
  const admit = (isAdmitted: boolean) => network.iris.call(updateRealm, { enable_spectator_access: isAdmitted });
  await admit(true);
  const { page, context } = await people.openSignedOut(`/${addressOf('printer')}`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('next')).toContain('printer');
  await context.close();
  await admit(false);
});

test('an administrator makes a link, with which somebody joins, is greeted, and is in a conversation', async () => {
  const iris = await people.open(network.iris, '#organization/invitations');
  await iris.page.getByRole('button', { name: 'Make a link' }).click();
  await iris.page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  const link = await iris.page.getByRole('dialog').getByRole('textbox', { name: 'Invitation link' }).inputValue();
  expectCalm(iris);
  await iris.context.close();

  const nora = await people.openSignedOut(new URL(link).pathname);
  const { page } = nora;
  const password = 'correct horse battery staple';
  await page.getByLabel('Your email address').fill('nora@example.org');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.goto(`${HOME}/accounts/do_confirm/${await mailedKey(MAILS, 'nora@example.org')}`);
  await page.getByLabel('Your name').fill('Nora Falk');
  await page.getByLabel('Choose a password').fill(password);
  await page.getByRole('button', { name: 'Join' }).click();
  // They are signed in, and read the greeting first.
  await page.getByRole('heading', { name: 'Welcome Bot', level: 1 }).waitFor();
  await messageWith(page, 'Hello, and welcome!').waitFor();
  await left(page).getByRole('link', { name: 'general' }).click();
  await say('welcome', 'Hello, Nora!');
  await messageWith(page, 'Hello, Nora!').waitFor();
  expectCalm(nora);
  await nora.context.close();
});

describe('with the keyboard alone', () => {
  let person: WebPerson;
  let page: Page;
  beforeAll(async () => {
    await say('lunch', 'First soup.');
    await say('lunch', 'Then cake.');
    person = await people.open(network.dan);
    ({ page } = person);
  });
  afterEach(() => expectCalm(person));
  afterAll(() => person?.context.close());

  async function press(...keys: string[]): Promise<void> {
    for (const key of keys) await page.keyboard.press(key);
  }

  test('somebody goes to what is unread, and answers', async () => {
    await network.eve.call(sendMessage, { type: 'direct', to: [network.dan.userId], content: 'Are you there?' });
    for (const name of [/Eve Castillo/, /lunch/]) {
      await page.getByRole('main').getByRole('link', { name }).waitFor();
    }
    await press('p');
    await messageWith(page, 'Are you there?').waitFor();
    await press('r');
    await hasFocus(writingField(page));
    await page.keyboard.type('I am.');
    await press('Control+Enter', 'Escape');
    await messageWith(page, 'I am.').waitFor();

    // Topics of other tests may come first. The address tells where the page is; the heading is drawn a moment later.
    const isAtLunch = ({ href }: URL) => href.includes('/topic/lunch');
    while (!isAtLunch(new URL(page.url()))) {
      const before = page.url();
      await press('n');
      await page.waitForURL((url) => url.href !== before);
    }
    await page.getByRole('heading', { name: /lunch/, level: 1 }).waitFor();
    await messageWith(page, 'Then cake.').waitFor();
  });

  test('messages are chosen, reacted to, quoted and edited', async () => {
    const chosen = page.locator('article:focus');
    await press('k', 'k');
    await chosen.filter({ hasText: 'First soup.' }).waitFor();
    await press('j');
    await chosen.filter({ hasText: 'Then cake.' }).waitFor();
    await press('+');
    await hasFocus(page.getByRole('searchbox', { name: 'Search emoji' }));
    await page.keyboard.type('cake');
    await press('Enter');
    await page.getByRole('button', { name: /^you: :.*cake.*:$/i }).waitFor();
    await press('>');
    await hasFocus(writingField(page));
    await page.keyboard.type('Gladly.');
    await press('Control+Enter', 'Escape');
    await messageWith(page, 'Gladly.').getByRole('button', { name: 'Dan Brooks' }).waitFor();
    await press('End', 'e');
    await hasFocus(page.getByRole('textbox', { name: 'Text of the message' }));
    await press('Control+End');
    await page.keyboard.type(' Thanks!');
    await press('Control+Enter');
    await messageWith(page, 'Gladly. Thanks!').waitFor();
  });

  test('keys work in the moment in which a menu is closed', async () => {
    const chosen = page.locator('article:focus');
    await press('k', 'j', 'i');
    await hasFocus(page.getByRole('menuitem').first());
    // Keyboards of tests are too slow for it.
    const isTaken = await page.evaluate(`document.querySelector('.popover').hidePopover();
      !document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', bubbles: true, cancelable: true }))`);
    expect(isTaken).toBe(true);
    await chosen.filter({ hasText: 'Then cake.' }).waitFor();
    await press('i');
    await hasFocus(page.getByRole('menuitem').first());
    await press('Escape');
    await chosen.filter({ hasText: 'Then cake.' }).waitFor();
    await press('j', 'i');
    await hasFocus(page.getByRole('menuitem').first());
    await writingField(page).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await hasFocus(writingField(page));
    await press('Escape');
  });

  test('keys work in the moment in which a dialog is closed, and are for it as soon as it is open', async () => {
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await press('?');
    await help.waitFor();
    // Keyboards of tests are too slow for it.
    await page.evaluate(`globalThis.pressed = (key) => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      return !document.activeElement.dispatchEvent(event);
    }`);
    expect(await page.evaluate(`pressed('/')`)).toBe(false);
    expect(await page.evaluate(`document.querySelector('dialog').close(); pressed('/')`)).toBe(true);
    await hasFocus(page.getByRole('combobox', { name: 'Search messages' }));
    await press('Escape');
    // A second one would have the same name.
    expect(await page.evaluate(`pressed('?') && Promise.resolve().then(() => pressed('?'))`)).toBe(false);
    await help.waitFor();
    await press('Escape');
    await help.waitFor({ state: 'detached' });
  });

  test('a dialog gives the focus back, however it is closed', async () => {
    await goTo(person, '#settings/profile');
    const change = page.getByRole('button', { name: 'Change: Name' });
    const dialog = page.getByRole('dialog', { name: 'Name' });
    for (const button of ['Close', 'Cancel', 'Save']) {
      await change.press('Enter');
      await dialog.getByRole('button', { name: button }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await hasFocus(change);
    }
    await press('Escape');
    await change.waitFor({ state: 'detached' });
  });

  test('a line that goes hands the focus to the next one, and a form begins with its first field', async () => {
    for (const topic of ['first gone', 'then gone']) await say(topic, 'Read me.');
    await goTo(dan, '#inbox');
    const lines = dan.page.getByRole('main').getByRole('listitem');
    const readButton = (topic: string) =>
      lines.filter({ hasText: topic }).getByRole('button', { name: 'Mark as read' });
    await readButton('then gone').focus();
    await dan.page.keyboard.press('Shift+Tab');
    await dan.page.keyboard.press('Tab');
    await dan.page.keyboard.press('Enter');
    await lines.filter({ hasText: 'then gone' }).waitFor({ state: 'detached' });
    await hasFocus(readButton('first gone'));
    await goTo(dan, '#settings/bots');
    const begun = dan.page.getByRole('dialog').getByRole('textbox').first();
    await dan.page.getByRole('button', { name: 'New bot', exact: true }).press('Enter');
    await hasFocus(begun);
    await dan.page.keyboard.press('Escape');
    await dan.page.getByRole('button', { name: /status, settings/ }).press('Enter');
    await dan.page.getByRole('menuitem', { name: 'Set a status' }).press('Enter');
    await hasFocus(begun);
    await dan.page.keyboard.press('Escape');
    expectCalm(dan);
  });

  test('a message to somebody is begun, keys are looked up, and words are searched for', async () => {
    await press('x');
    await hasFocus(page.getByRole('combobox', { name: 'People' }));
    await page.keyboard.type('eve');
    await page.getByRole('option', { name: /Eve Castillo/ }).waitFor();
    await press('Enter', 'Escape', 'Escape', '?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Next topic with unread messages').waitFor();
    await press('Escape');
    await help.waitFor({ state: 'detached' });
    await press('/');
    await hasFocus(page.getByRole('combobox', { name: 'Search messages' }));
    await page.keyboard.type('soup');
    await press('Enter');
    await page.getByRole('heading', { name: 'soup', level: 1 }).waitFor();
    await messageWith(page, 'First soup.').waitFor();
    await press('Escape');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  });
});

test('on a phone there is one column, whose sides open over it', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const person = await people.open(network.eve, '', phone);
  const { page } = person;
  expect(await left(page).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Menu' }).tap();
  await left(page).getByRole('link', { name: 'general' }).first().tap();
  await left(page).waitFor({ state: 'hidden' });
  await page.getByRole('combobox', { name: /^Topic/ }).fill('phone');
  await writingField(page).fill('Sent on the way.');
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  await messageWith(page, 'Sent on the way.').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.getByRole('button', { name: 'People' }).tap();
  await page.getByRole('complementary', { name: 'People' }).getByRole('link', { name: /Iris/ }).tap();
  await writingField(page).waitFor();
  expectCalm(person);
  await person.context.close();
});

/** Hints in empty fields that are wider than their field. */
const CUT_HINTS = `[...document.querySelectorAll('input:placeholder-shown')].filter((field) => {
  const style = getComputedStyle(field);
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = style.font;
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return field.offsetParent !== null && pen.measureText(field.placeholder).width > room;
}).map((field) => field.placeholder)`;
/** How much wider than its frame the content of the dialog in front, or of a poll, is. */
const OVERFLOW = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog[open], .widget'))`;

const IS_CUT = ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
  scrollWidth > clientWidth;

test('on a phone long names leave room for buttons, and tables have whole words', async () => {
  const name = 'a-name-that-goes-on-and-on-and-on-until-the-end-of-the-line';
  await network.iris.call(createChannel, { name, subscribers: [network.iris.userId, network.eve.userId] });
  const cells = (text: string) => `|${` ${text} |`.repeat(9)}\n`;
  const content = `${cells('Quantity')}${cells('---')}${cells('Nothing')}`;
  await network.iris.call(sendMessage, { type: 'channel', to: name, topic: 'stock', content });
  const person = await people.open(network.eve, '#inbox', { viewport: { width: 390, height: 844 } });
  const { page } = person;
  const button = page.getByRole('main').getByRole('button', { name: `Actions for ${name}` });
  const { x = 0, width = 0 } = (await button.boundingBox()) ?? {};
  expect(x + width).toBeLessThan(390 - 16);
  await page.getByRole('main').getByRole('link', { name: 'stock' }).click();
  const cell = page.getByRole('cell', { name: 'Nothing' }).first();
  await cell.waitFor();
  expect((await cell.boundingBox())?.height).toBeLessThan(40);
  await page.getByRole('combobox', { name: 'Search messages' }).fill('i');
  const operator = page.getByRole('option', { name: 'is:' }).first().locator('.label');
  expect(await operator.evaluate(IS_CUT)).toBe(false);
  await page.keyboard.press('Escape');
  await goTo(person, '#recent');
  const line = page.getByRole('main').getByRole('link', { name: /stock/ });
  const [whole, ofName] = await Promise.all([line.boundingBox(), line.getByText(name).boundingBox()]);
  expect(ofName?.width).toBeLessThan((whole?.width ?? 0) / 2);
  await person.context.close();
});

test('on a narrow phone German hints are not cut, and forms fit', async () => {
  await network.iris.call(updateUserSettings, { default_language: 'de' });
  const person = await people.open(network.iris, '', { viewport: { width: 360, height: 740 } });
  const { page } = person;
  const { group_id: groupId } = await network.iris.call(createGroup, {
    ...{ name: 'Küche', description: '', members: [network.iris.userId] },
  });
  for (const [place, words] of [
    ['#inbox', 'Eingang'],
    ['#recent', 'Ungelesen'],
    ['#settings/muted', 'Themen, die stumm'],
    ['#organization/people', 'Deaktivieren'],
    [`#groups/${groupId}`, 'Die Gruppe erwähnen'],
    ['#channels/new', 'Sichtbarkeit'],
    [`#channels/${channelId}/permissions`, 'Den Kanal verwalten'],
  ] as const) {
    await goTo(person, place);
    await page.getByRole('main').getByText(words).first().waitFor();
    expect({ place, cut: await page.evaluate(CUT_HINTS) }).toEqual({ place, cut: [] });
  }
  for (const [place, button] of [
    ['#settings/bots', 'Neuer Bot'],
    ['#organization/emoji', 'Emoji hinzufügen'],
    ['#organization/exports', 'Neuer Export'],
    ['#organization/invitations', 'Per Mail einladen'],
  ] as const) {
    await goTo(person, place);
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('dialog', { name: button }).waitFor();
    expect({ button, over: await page.evaluate(OVERFLOW) }).toEqual({ button, over: 0 });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await say('where to', '/poll Where to?\nTo a place with a name that does not fit on a line');
  await goTo(person, addressOf('where.20to'));
  await page.getByRole('button', { name: 'Hinzufügen' }).waitFor();
  expect(await page.evaluate(OVERFLOW)).toBe(0);
  expectCalm(person);
  await network.iris.call(updateUserSettings, { default_language: 'en' });
  await person.context.close();
});

test('eight windows of one browser load over HTTP/1.1, and all are live', async () => {
  const first = await people.open(network.faye, addressOf('tabs'));
  const others = await Promise.all(Array.from({ length: 7 }, () => watched(first.context)));
  const all = [first, ...others];
  await Promise.all(others.map(({ page }) => page.goto(`${HOME}/${addressOf('tabs')}`)));
  await Promise.all(all.map(({ page }) => writingField(page).waitFor()));
  await say('tabs', 'Hello, everywhere!');
  await Promise.all(all.map(({ page }) => messageWith(page, 'Hello, everywhere!').waitFor()));
  await write((all[7] as WebPerson).page, 'Hello from the last.');
  await Promise.all(all.map(({ page }) => messageWith(page, 'Hello from the last.').waitFor()));
  expectCalm(...all);
  await first.context.close();
});

test('somebody whose language is German reads German', async () => {
  await network.faye.call(updateUserSettings, { default_language: 'de' });
  const person = await people.open(network.faye);
  const { page } = person;
  await page.getByRole('heading', { name: 'Eingang' }).waitFor();
  await page.locator('html[lang=de]').waitFor({ state: 'attached' });
  await goTo(person, '#settings/look');
  await page.getByRole('heading', { name: 'Aussehen und Verhalten' }).waitFor();
  // Dates and times, too, though the browser is English.
  await goTo(person, `#channels/${channelId}/general`);
  await page.getByText(/(?:angelegt|erstellt).* \d\d\.\d\d\.\d{4}/i).waitFor();
  await say('zuletzt', 'Gerade eben');
  await goTo(person, '#recent');
  await page.getByText('in dieser Minute').first().waitFor();
  expectCalm(person);
  await person.context.close();
});

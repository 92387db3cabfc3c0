import { randomBytes } from 'node:crypto';
import { findChannel, getMessages, sendMessage } from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { until } from '@parley/shared/testing';
import { ROLES } from '@parley/shared/values';
import type { Locator } from 'playwright-core';
import { type TestClient, TestNetwork } from '../../src';
import { INSTALLING_MS } from '../../src/network/chromium';
import { PNG } from '../multipart';
import { type NetworkPath, openPath } from './network-path';
import { act, expectCalm, goTo, messageWith, write, writingField } from './on-page';
import { type WebPeople, type WebPerson, webPeopleOf } from './web-people';

let network: TestNetwork;
let path: NetworkPath;
let people: WebPeople;
let dan: WebPerson;
let eve: WebPerson;
let channelId: number;
beforeAll(async () => {
  network = await TestNetwork.create({
    replicas: { gateway: 2 },
    processes: ['gateway'],
    settings: { DEV_LOGIN: '1' },
  });
  // The cast's clients use the first gateway; browsers use the second while it is there.
  path = await openPath(network.gatewayAddresses.toReversed());
  people = await webPeopleOf(path);
  ({ stream_id: channelId } = await network.dan.call(findChannel, { stream: 'general' }));
  [dan, eve] = await Promise.all([people.open(network.dan), people.open(network.eve)]);
}, INSTALLING_MS);
afterAll(async () => {
  await people?.close();
  await path?.close();
  await network?.stop();
});

const addressOf = (topic: string) => `#narrow/channel/${channelId}-general/topic/${topic}`;

/** Somebody says something in a topic, and both of them look at it. */
async function meetIn(topic: string, content: string, by: TestClient = network.eve): Promise<void> {
  await by.call(sendMessage, { type: 'channel', to: 'general', topic, content });
  await Promise.all([dan, eve].map((each) => goTo(each, addressOf(topic))));
  await Promise.all([dan, eve].map(({ page }) => messageWith(page, content).waitFor()));
}

/** A topic's messages, by the API. */
async function contentsOf(topic: string): Promise<unknown[]> {
  const narrow = [{ operator: 'topic' as const, operand: topic }];
  const { messages } = await network.eve.call(getMessages, {
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    apply_markdown: false,
    narrow,
  });
  return messages.map(({ content }) => content);
}

test('people sign in with the form, read what is unread, and reply', async () => {
  const password = 'correct horse battery staple';
  const email = 'gus@example.com';
  await network.realmService.createUser(newCall(), {
    subdomain: '',
    email,
    fullName: 'Gus Eriksen',
    role: ROLES.member,
    password,
  });
  const gus = await people.openSignedOut('/');
  const { page } = gus;
  await page.getByLabel('Email address').first().fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await network.eve.call(sendMessage, { type: 'direct', to: [email], content: 'Lunch?' });

  await page
    .getByRole('main')
    .getByRole('link', { name: /Eve Castillo/ })
    .click();
  await messageWith(page, 'Lunch?').waitFor();
  await write(page, 'At noon.');
  await eve.page
    .getByRole('main')
    .getByRole('link', { name: /Gus Eriksen/ })
    .click();
  await messageWith(eve.page, 'At noon.').waitFor();
  // Messages that were on the screen are read.
  await page.getByRole('link', { name: /^Inbox$/ }).click();
  await page.getByText('Nothing is unread').waitFor();
  expectCalm(gus, eve);
  await gus.context.close();
});

test('somebody is mentioned by a suggestion, and sees that it is about them', async () => {
  await meetIn('plans', 'Who can help?', network.iris);
  await goTo(eve, '#inbox');
  const field = writingField(dan.page);
  await field.click();
  await field.pressSequentially('@cast');
  await dan.page.getByRole('option', { name: /Eve Castillo/ }).waitFor();
  await dan.page.keyboard.press('Enter');
  await field.pressSequentially('can.');
  await dan.page.keyboard.press('Control+Enter');
  await messageWith(dan.page, '@Eve Castillo can.').waitFor();

  await eve.page
    .getByRole('list', { name: 'Views' })
    .getByRole('link', { name: /^Mentions/ })
    .click();
  const mention = messageWith(eve.page, '@Eve Castillo can.').getByRole('button', { name: '@Eve Castillo' });
  await mention.waitFor();
  // It stands in its line.
  expect((await mention.boundingBox())?.width).toBeLessThan(200);
  expectCalm(dan, eve);
});

test('a reaction is seen at once by others, who add theirs', async () => {
  await meetIn('party', 'It is done.');
  await act(messageWith(dan.page, 'It is done.'), 'Add a reaction');
  await dan.page.getByRole('searchbox', { name: 'Search emoji' }).fill('tada');
  await dan.page.keyboard.press('Enter');
  await eve.page.getByRole('button', { name: 'Dan Brooks: :tada:' }).click();
  await dan.page
    .getByRole('button', { name: 'You, Eve Castillo: :tada:' })
    .or(dan.page.getByRole('button', { name: 'you, Eve Castillo: :tada:' }))
    .waitFor();
  expectCalm(dan, eve);
});

test('a message is edited; others see the new text, and that it was edited', async () => {
  await meetIn('report', 'The report is redy.', network.dan);
  await act(messageWith(dan.page, 'redy'), 'Edit');
  await dan.page.getByRole('textbox', { name: 'Text of the message' }).fill('The report is ready.');
  await dan.page.getByRole('button', { name: 'Save', exact: true }).click();
  const edited = messageWith(eve.page, 'The report is ready.');
  await edited.getByRole('button', { name: 'edited' }).click();
  const history = eve.page.getByRole('dialog', { name: 'Edit history' });
  await history.getByText('redy').first().waitFor();
  await history.getByRole('button', { name: 'Close' }).click();
  expectCalm(dan, eve);
});

test('others see that a message is being edited, until its sender has decided', async () => {
  await meetIn('wording', 'We may go there.', network.dan);
  const note = messageWith(eve.page, 'We may go there.').getByText('being edited');
  for (const end of ['Cancel', 'Save']) {
    await act(messageWith(dan.page, 'We may go there.'), 'Edit');
    const field = dan.page.getByRole('textbox', { name: 'Text of the message' });
    await field.pressSequentially(' Now');
    await note.waitFor();
    await dan.page.getByRole('button', { name: end, exact: true }).click();
    await note.waitFor({ state: 'detached' });
  }
  await messageWith(eve.page, 'We may go there. Now').waitFor();
  expectCalm(dan, eve);
});

test('a picture is uploaded, and opens at full size for others', async () => {
  await meetIn('pictures', 'Show it!');
  const chooser = dan.page.waitForEvent('filechooser');
  await dan.page.getByRole('button', { name: 'Upload files' }).click();
  await (await chooser).setFiles({ name: 'plan.png', mimeType: 'image/png', buffer: PNG });
  await until(async () => (await writingField(dan.page).inputValue()).includes('](/user_uploads/'));
  await writingField(dan.page).press('Control+Enter');
  const link = eve.page.getByRole('article').getByRole('link', { name: 'Picture plan.png' });
  // It is one pixel, and can be clicked nevertheless.
  expect((await link.getByRole('img').boundingBox())?.width).toBeGreaterThan(40);
  await link.click();
  const shown = eve.page.getByRole('dialog').getByRole('img');
  await shown.waitFor();
  await until(() => eve.page.evaluate("document.querySelector('dialog img').naturalWidth > 0"));
  await eve.page.keyboard.press('Escape');
  await shown.waitFor({ state: 'detached' });
  expectCalm(dan, eve);
});

test('a search finds a word, and marks it', async () => {
  await meetIn('zoology', 'A pangolin sleeps.');
  const { page } = dan;
  await page.getByRole('combobox', { name: 'Search messages' }).fill('pangolin');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /pangolin/ }).waitFor();
  await messageWith(page, 'A pangolin sleeps.').locator('.highlight').waitFor();
  expectCalm(dan);
});

test('what was not sent comes back: as a draft, and after the page was loaded anew', async () => {
  await meetIn('poem', 'Go on.');
  const { page } = dan;
  await writingField(page).fill('Half a line');
  await page
    .getByRole('list', { name: 'Views' })
    .getByRole('link', { name: /^Drafts/ })
    .click();
  await page.getByRole('button', { name: 'Half a line' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Half a line' }).click();
  await messageWith(page, 'Go on.').waitFor();
  expect(await writingField(page).inputValue()).toBe('Half a line');
  await page.keyboard.press('Control+Enter');
  await messageWith(eve.page, 'Half a line').waitFor();
  await page
    .getByRole('list', { name: 'Views' })
    .getByRole('link', { name: /^Drafts/ })
    .click();
  await page.getByText('There are no drafts.').waitFor();
  expectCalm(dan, eve);
});

test('a formula is set with the fonts of the release, which nobody loads before', async () => {
  const isOfFormulas = (url: string) => /katex/i.test(url);
  const { page, requests } = eve;
  await meetIn('formulas', 'How is it defined?');
  expect(requests.filter(isOfFormulas)).toEqual([]);
  const content = 'It is $$e^{i\\pi}$$ again.';
  await network.dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'formulas', content });
  const formula = page.locator('.katex');
  await formula.waitFor();
  const areFontsLoaded =
    "[...document.fonts].some(({ family, status }) => family === 'KaTeX_Math' && status === 'loaded')";
  await until(() => page.evaluate(areFontsLoaded));
  // Seen by screen readers, with the source for those who copy it.
  expect(await formula.locator('math annotation').textContent()).toBe('e^{i\\pi}');
  const isForReadersOnly = "getComputedStyle(document.querySelector('.katex-mathml')).position === 'absolute'";
  expect(await page.evaluate(isForReadersOnly)).toBe(true);
  expect(requests.some((url) => url.endsWith('.woff2'))).toBe(true);
  expectCalm(dan, eve);
});

describe('over a bad network', () => {
  /** Browsers write down what they could not load. */
  const isOfNetwork = (complaint: string) => /net::ERR_|Failed to load resource/.test(complaint);

  function expectOnlyLosses(...all: readonly WebPerson[]): void {
    for (const person of all) {
      expect(person.complaints.filter((each) => !isOfNetwork(each))).toEqual([]);
      person.complaints.length = 0;
    }
    expectCalm(...all);
  }

  test('a message written without a network is sent once, and what others wrote meanwhile is there', async () => {
    await meetIn('tunnel', 'The train leaves.');
    path.cut();
    await write(dan.page, 'In a tunnel.');
    await messageWith(dan.page, 'In a tunnel.').getByText('Not sent yet.').waitFor();
    // The connection that all tabs share is gone, too.
    await dan.page.getByRole('status').filter({ hasText: 'There is no connection' }).waitFor();
    await network.eve.call(sendMessage, { type: 'channel', to: 'general', topic: 'tunnel', content: 'Are you there?' });
    expect(await contentsOf('tunnel')).toEqual(['The train leaves.', 'Are you there?']);

    path.restore();
    await messageWith(dan.page, 'Are you there?').waitFor();
    await messageWith(eve.page, 'In a tunnel.').waitFor();
    await messageWith(dan.page, 'In a tunnel.').getByRole('button', { name: 'Dan Brooks' }).waitFor();
    expect(await messageWith(dan.page, 'In a tunnel.').count()).toBe(1);
    expect(await contentsOf('tunnel')).toEqual(['The train leaves.', 'Are you there?', 'In a tunnel.']);
    expectOnlyLosses(dan, eve);
  });

  test('a message whose answer was lost is there once', async () => {
    await meetIn('echo', 'Say something.');
    const queue = await network.faye.events({ event_types: ['message'] });
    path.loseAnswers();
    await write(dan.page, 'Hello!');
    await queue.next('message');
    await messageWith(dan.page, 'Hello!').getByText('Not sent yet.').waitFor();
    path.restore();
    await messageWith(eve.page, 'Hello!').waitFor();
    await messageWith(dan.page, 'Hello!').getByRole('button', { name: 'Dan Brooks' }).waitFor();
    expect(await messageWith(dan.page, 'Hello!').count()).toBe(1);
    expect(await contentsOf('echo')).toEqual(['Say something.', 'Hello!']);
    expectOnlyLosses(dan, eve);
  });

  const MIB = 1_048_576;

  async function downloadedBy({ page }: WebPerson, address: string): Promise<Buffer> {
    const base64 =
      await page.evaluate<string>(`fetch(${JSON.stringify(address)}).then((answer) => answer.blob()).then((blob) =>
      new Promise((resolve) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result.split(',')[1]);
        reader.readAsDataURL(blob);
      }))`);
    return Buffer.from(base64, 'base64');
  }

  /** Begins an upload whose connection breaks after some parts of it. */
  async function uploadUntilCut(name: string, bytes: Buffer): Promise<Locator> {
    const isCut = path.cutAfter(6 * MIB);
    const file = { name, mimeType: 'application/octet-stream', buffer: bytes };
    await dan.page.getByRole('form').locator('input[type=file]').setInputFiles(file);
    await isCut;
    return dan.page.getByRole('progressbar', { name });
  }

  test('an upload goes on where the connection was lost, and the file is whole', async () => {
    await meetIn('recording', 'How did it sound?');
    const bytes = randomBytes(12 * MIB);
    const methods: string[] = [];
    dan.page.on('request', (request) => request.url().includes('/json/tus') && methods.push(request.method()));
    const progress = await uploadUntilCut('sound.bin', bytes);
    await progress.waitFor();
    path.restore();
    await until(async () => (await writingField(dan.page).inputValue()).includes('](/user_uploads/'));
    // One upload, continued where the server said.
    expect([methods.filter((each) => each === 'POST').length, methods.includes('HEAD')]).toEqual([1, true]);
    await progress.waitFor({ state: 'detached' });
    await writingField(dan.page).press('Control+Enter');
    const link = messageWith(eve.page, 'sound.bin').getByRole('link', { name: 'sound.bin' });
    const address = (await link.getAttribute('href')) as string;
    expect((await downloadedBy(eve, address)).equals(bytes)).toBe(true);
    expectOnlyLosses(dan, eve);
  });

  test('an upload that waits for the network can be given up', async () => {
    await meetIn('waste', 'Anything else?');
    const progress = await uploadUntilCut('waste.bin', randomBytes(12 * MIB));
    await dan.page.getByRole('button', { name: 'Cancel: waste.bin' }).click();
    await progress.waitFor({ state: 'detached' });
    expect(await writingField(dan.page).inputValue()).toBe('');
    path.restore();
    await write(dan.page, 'Nothing.');
    await messageWith(eve.page, 'Nothing.').waitFor();
    expectOnlyLosses(dan, eve);
  });

  test('a server is killed, and nobody has to load the page again', async () => {
    await meetIn('crash', 'Before.');
    await network.replicas.gateway[1]?.kill();
    await write(dan.page, 'Meanwhile.');
    await messageWith(eve.page, 'Meanwhile.').waitFor();
    await write(eve.page, 'Afterwards.');
    await messageWith(dan.page, 'Afterwards.').waitFor();
    expect(await contentsOf('crash')).toEqual(['Before.', 'Meanwhile.', 'Afterwards.']);
    expectOnlyLosses(dan, eve);
  });
});

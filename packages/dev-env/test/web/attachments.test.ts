import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createChannel, findChannel, getMessages, sendMessage, updateRealm } from '@parley/gateway/endpoints';
import { until } from '@parley/shared/testing';
import type { Page } from 'playwright-core';
import { TestNetwork } from '../../src';
import { INSTALLING_MS } from '../../src/network/chromium';
import { choose, expectCalm, goTo, messageWith, write, writingField } from './on-page';
import { type WebPeople, type WebPerson, webPeopleOf } from './web-people';

let network: TestNetwork;
let people: WebPeople;
let dan: WebPerson;
let eve: WebPerson;
let channelId: number;
beforeAll(async () => {
  network = await TestNetwork.create({ settings: { DEV_LOGIN: '1', OUTGOING_ALLOW: '127.0.0.1' } });
  people = await webPeopleOf(network);
  ({ stream_id: channelId } = await network.dan.call(findChannel, { stream: 'general' }));
  [dan, eve] = await Promise.all([people.open(network.dan), people.open(network.eve)]);
}, INSTALLING_MS);
afterAll(async () => {
  await people?.close();
  await network?.stop();
});

const addressOf = (topic: string) => `#narrow/channel/${channelId}-general/topic/${topic}`;

/** A second of a tone, in one byte for each of 8,000 samples. */
function sound(): Buffer {
  const [rate, head] = [8_000, Buffer.alloc(44)];
  const samples = Buffer.from(Array.from({ length: rate }, (_, at) => Math.round(128 + 60 * Math.sin(at / 6))));
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + rate, 4);
  head.write('WAVEfmt ', 8);
  for (const [at, value] of [16, 0x1_0001, rate, rate, 0x8_0001].entries()) head.writeUInt32LE(value, 16 + 4 * at);
  head.write('data', 36);
  head.writeUInt32LE(rate, 40);
  return Buffer.concat([head, samples]);
}

/** A second of a canvas whose color changes. */
const FILMED = `new Promise((resolve) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
  const context = canvas.getContext('2d');
  let hue = 0;
  const drawing = setInterval(() => {
    context.fillStyle = 'hsl(' + (hue += 20) + ' 70% 50%)';
    context.fillRect(0, 0, 320, 180);
  }, 40);
  const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' });
  recorder.ondataavailable = ({ data }) => {
    clearInterval(drawing);
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(',')[1]);
    reader.readAsDataURL(data);
  };
  recorder.start();
  setTimeout(() => recorder.stop(), 1_000);
})`;

/** Waits until the player has played its file to a moment. */
async function play(page: Page, tag: 'audio' | 'video', name: string): Promise<void> {
  await page.locator(`${tag}[aria-label="${name}"][controls]`).waitFor();
  const player = `document.querySelector('${tag}')`;
  await page.evaluate(`Object.assign(${player}, { muted: true }).play()`);
  await until(() => page.evaluate(`${player}.currentTime > 0.1`));
}

test('a sound and a film are uploaded, and played where they are', async () => {
  for (const each of [dan, eve]) await goTo(each, addressOf('media'));
  const film = Buffer.from(await dan.page.evaluate<string>(FILMED), 'base64');
  const files = [
    { name: 'song.wav', mimeType: 'audio/wav', buffer: sound() },
    { name: 'film.webm', mimeType: 'video/webm', buffer: film },
  ];
  await dan.page.getByRole('form').locator('input[type=file]').setInputFiles(files);
  const written = () => writingField(dan.page).inputValue();
  await until(async () => /song\.wav\]\(\/user.*film\.webm\]\(\/user/.test(await written()));
  await writingField(dan.page).press('Control+Enter');
  const message = messageWith(eve.page, 'film.webm');
  await message.getByRole('link', { name: 'song.wav' }).waitFor();
  await play(eve.page, 'audio', 'song.wav');
  await play(eve.page, 'video', 'film.webm');
  expectCalm(dan, eve);
});

const PAGE = `<title>Soup of the week</title><meta property="og:image" content="/soup.png">
<meta property="og:description" content="Lentils, every day.">`;

test('a link has a card with the title and the description of its page, and nothing is loaded from there', async () => {
  await network.iris.call(updateRealm, { inline_url_embed_preview: true });
  const site = createServer((_, res) => void res.setHeader('Content-Type', 'text/html').end(PAGE));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/soup`;
  for (const each of [dan, eve]) await goTo(each, addressOf('soup'));
  await write(dan.page, `Have you seen ${address}?`);
  const message = messageWith(eve.page, 'Have you seen');
  const title = message.getByRole('link', { name: 'Soup of the week' });
  await title.waitFor();
  await message.getByText('Lentils, every day.').waitFor();
  expect(await title.getAttribute('href')).toBe(address);
  expectCalm(dan, eve);
  site.closeAllConnections();
  site.close();
});

test('somebody reports a message, with a reason, and moderators read it', async () => {
  const { iris } = network;
  const { id } = await iris.call(createChannel, { name: 'reports', subscribers: [iris.userId], invite_only: true });
  await iris.call(updateRealm, { moderation_request_channel_id: id });
  await network.dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'noise', content: 'BUY NOW' });
  await goTo(eve, addressOf('noise'));
  await choose(eve.page, messageWith(eve.page, 'BUY NOW'), 'Report');
  const dialog = eve.page.getByRole('dialog', { name: 'Report' });
  await dialog.getByRole('combobox').selectOption({ label: 'Spam' });
  await dialog.getByRole('textbox').fill('Every day the same.');
  await dialog.getByRole('button', { name: 'Report', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await eve.page.getByRole('status').filter({ hasText: 'The moderators are told.' }).waitFor();
  await network.settle();
  const narrow = [{ operator: 'channel' as const, operand: 'reports' }];
  const page = { anchor: 'newest' as const, num_before: 5, num_after: 0, apply_markdown: false, narrow };
  const { messages } = await iris.call(getMessages, page);
  expect(messages.map(({ content }) => content)).toEqual([expect.stringContaining('Every day the same.')]);
  expectCalm(eve);
});

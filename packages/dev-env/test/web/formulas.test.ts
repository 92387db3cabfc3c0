import { sendMessage } from '@parley/gateway/endpoints';
import { TestNetwork } from '../../src';
import { INSTALLING_MS } from '../../src/network/chromium';
import { EXTERNAL_HOST } from '../../src/network/plan';
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

test('a formula is set with the fonts of the release, which nobody loads before; nothing comes from other hosts', async () => {
  const { dan, eve } = network;
  const { page, requests, complaints } = await people.open(eve);
  const isOfFormulas = (url: string) => /katex/i.test(url);
  await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'lunch', content: 'Soup?' });
  await page.getByRole('main').getByRole('link', { name: /lunch/ }).click();
  await page.getByText('Soup?').waitFor();
  expect(requests.filter(isOfFormulas)).toEqual([]);

  const content = 'It is $$e^{i\\pi}$$ again.';
  await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'lunch', content });
  const formula = page.locator('.katex');
  await formula.waitFor();
  await page.waitForFunction(
    "[...document.fonts].some(({ family, status }) => family === 'KaTeX_Math' && status === 'loaded')",
  );
  // Seen by screen readers, with the source for those who copy it.
  expect(await formula.locator('math annotation').textContent()).toBe('e^{i\\pi}');
  const isForReadersOnly = "getComputedStyle(document.querySelector('.katex-mathml')).position === 'absolute'";
  expect(await page.evaluate(isForReadersOnly)).toBe(true);
  expect(requests.some((url) => url.endsWith('.woff2'))).toBe(true);
  for (const url of requests) expect(new URL(url).host).toBe(EXTERNAL_HOST);
  expect(complaints).toEqual([]);
});

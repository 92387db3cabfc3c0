import { createDrafts, createScheduledMessage, findChannel, sendMessage } from '@parley/gateway/endpoints';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { TestNetwork } from '../../src';
import { INSTALLING_MS } from '../../src/network/chromium';
import { faultsOf } from '../accessibility';
import { act, expectCalm, goTo, messageWith } from './on-page';
import { type WebPeople, type WebPerson, webPeopleOf } from './web-people';

let network: TestNetwork;
let people: WebPeople;
let channelId: number;
beforeAll(async () => {
  network = await TestNetwork.create({ settings: { DEV_LOGIN: '1' } });
  people = await webPeopleOf(network);
  ({ stream_id: channelId } = await network.dan.call(findChannel, { stream: 'general' }));
}, INSTALLING_MS);
afterAll(async () => {
  await people?.close();
  await network?.stop();
});

const addressOf = (topic: string) => `#narrow/channel/${channelId}-general/topic/${topic}`;

/** Elements that messages may contain. */
const RICH = `**Bold**, \`code\`, @**Iris Abara**, #**general**, :tada: and <time:2030-01-01T10:00:00Z>.
\`\`\`python
print("Hello")
\`\`\`
> A quote
- one
- two

| a | b |
|---|---|
| 1 | 2 |

\`\`\`spoiler Who won
Nobody
\`\`\`
$$x^2$$ [a link](https://example.com) ~~gone~~`;

async function fillViews(): Promise<void> {
  const { dan, eve, iris } = network;
  const to = { type: 'channel', to: 'general', topic: 'views' } as const;
  await eve.call(sendMessage, { ...to, content: RICH });
  await eve.call(sendMessage, { ...to, content: '/poll Lunch?\nSoup\nCake' });
  await dan.call(sendMessage, { ...to, content: '/todo Before noon\nCook: a lot\nEat' });
  await eve.call(sendMessage, { ...to, topic: 'unread', content: 'Not read yet, @**Iris Abara**.' });
  await eve.call(sendMessage, { type: 'direct', to: [iris.userId], content: 'Just for you.' });
  await iris.call(createDrafts, {
    drafts: [{ type: 'stream', to: [channelId], topic: 'views', content: 'Half a text', timestamp: 1 }],
  });
  await iris.call(createScheduledMessage, {
    ...{ type: 'channel', to: channelId, topic: 'views', content: 'Later' },
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 86_400,
  });
}

/** In light and in dark. */
async function expectNoFaults(page: Page, view: string): Promise<void> {
  const faults = [...(await faultsOf(page, 'light')), ...(await faultsOf(page, 'dark'))];
  expect({ view, faults }).toEqual({ view, faults: [] });
}

async function openForCheck(hash: string, options: object = {}): Promise<WebPerson> {
  const person = await people.open(network.iris, hash, { bypassCSP: true, ...options });
  await person.page.evaluate(axe.source);
  return person;
}

/** Addresses, and the heading by which people know that they are there. */
const VIEWS: readonly (readonly [hash: string, heading: RegExp])[] = [
  ['#inbox', /^Inbox/],
  ['#recent', /^Recent conversations/],
  ['#feed', /^Combined feed/],
  ['#narrow/is/mentioned', /^Mentions/],
  ['#narrow/is/starred', /^Starred/],
  ['#narrow/channel/CHANNEL-general', /^#general/],
  ['#narrow/channel/CHANNEL-general/topic/views', /^#general › views/],
  ['#narrow/dm/EVE', /^Eve Castillo/],
  ['#narrow/search/Hello', /Hello/],
  ['#drafts', /^Drafts/],
  ['#scheduled', /^Scheduled/],
  ['#reminders', /^Reminders/],
  ['#channels/all', /^Channels/],
  ['#channels/new', /^Create a channel/],
  ['#channels/CHANNEL/general', /general/],
  ['#channels/CHANNEL/personal', /general/],
  ['#channels/CHANNEL/subscribers', /general/],
  ['#channels/CHANNEL/permissions', /general/],
];

describe('the checker of accessibility finds nothing', () => {
  let iris: WebPerson;
  beforeAll(async () => {
    await fillViews();
    iris = await openForCheck('#inbox');
  });
  afterAll(() => iris?.context.close());

  test.each(VIEWS)('at %s', async (hash, heading) => {
    const address = hash.replace('CHANNEL', String(channelId)).replace('EVE', String(network.eve.userId));
    await goTo(iris, address);
    const main = iris.page.getByRole('main');
    await main.getByRole('heading', { name: heading }).first().waitFor();
    await main.getByText('Loading …').waitFor({ state: 'detached' });
    await expectNoFaults(iris.page, hash);
  });

  test('in any section of the settings', async () => {
    await goTo(iris, '#settings/profile');
    const sections = iris.page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    await sections.first().waitFor();
    const found: object[] = [];
    for (const section of await sections.all()) {
      const name = await section.innerText();
      await section.click();
      await iris.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      const faults = [...(await faultsOf(iris.page, 'light')), ...(await faultsOf(iris.page, 'dark'))];
      if (faults.length > 0) found.push({ name, faults });
    }
    expect(found).toEqual([]);
  });

  test('in dialogs and menus', async () => {
    const { page } = iris;
    await goTo(iris, addressOf('views'));
    const message = messageWith(page, 'Bold');
    await act(message, 'More actions');
    await expectNoFaults(page, 'the menu of a message');
    await page.getByRole('menuitem', { name: 'Move', exact: true }).click();
    await page.getByRole('dialog', { name: 'Move' }).waitFor();
    await expectNoFaults(page, 'moving');
    await page.keyboard.press('Escape');
    await act(message, 'Add a reaction');
    await page.getByRole('searchbox', { name: 'Search emoji' }).waitFor();
    await page.getByRole('button', { name: 'tada' }).first().waitFor();
    await expectNoFaults(page, 'choosing an emoji');
    await page.keyboard.press('Escape');
    expectCalm(iris);
  });

  test('in cards, suggestions and forms', async () => {
    const { page } = iris;
    await goTo(iris, addressOf('views'));
    await messageWith(page, 'Bold').getByRole('button', { name: 'Eve Castillo' }).first().click();
    const card = page.getByRole('dialog', { name: 'Eve Castillo' });
    await card.waitFor();
    await expectNoFaults(page, 'the card of a person');
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: /^Message / }).pressSequentially(' @e');
    await page.getByRole('option').first().waitFor();
    await expectNoFaults(page, 'suggestions');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Search messages' }).pressSequentially('is:');
    await page.getByRole('option').first().waitFor();
    await expectNoFaults(page, 'suggestions of the search');
    await page.keyboard.press('Escape');
    await goTo(iris, '#organization/invitations');
    await page.getByRole('button', { name: 'Make a link' }).click();
    await page.getByRole('dialog').waitFor();
    await expectNoFaults(page, 'a form in a dialog');
    await page.keyboard.press('Escape');
    expectCalm(iris);
  });

  // The checker does not look at them.
  test('in the dark, hints in empty fields are as clear as other quiet text', async () => {
    const { page } = iris;
    await page.emulateMedia({ colorScheme: 'dark' });
    await goTo(iris, addressOf('views'));
    const field = page.getByRole('textbox', { name: /^Message / });
    await messageWith(page, 'Bold').waitFor();
    const [hint, quiet] = await field.evaluate((element) => {
      const { getComputedStyle, document } = globalThis as unknown as {
        getComputedStyle(element: unknown, part?: string): { color: string };
        document: { querySelector(name: string): unknown };
      };
      return [
        getComputedStyle(element, '::placeholder').color,
        getComputedStyle(document.querySelector('.message time')).color,
      ];
    });
    expect(hint).toBe(quiet);
  });

  test('on a phone', async () => {
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const person = await openForCheck(addressOf('views'), phone);
    const { page } = person;
    await messageWith(page, 'Bold').waitFor();
    await expectNoFaults(page, 'a topic on a phone');
    await page.getByRole('button', { name: 'Menu' }).tap();
    await page.getByRole('navigation', { name: 'Channels' }).waitFor();
    await expectNoFaults(page, 'the left side on a phone');
    expectCalm(person);
    await person.context.close();
  });
});

test('from right to left everything has changed sides, and fits', async () => {
  const person = await people.open(network.eve, addressOf('views'));
  const { page } = person;
  await page.evaluate("document.documentElement.dir = 'rtl'");
  await network.dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'views', content: 'مرحبا بالعالم' });
  const written = messageWith(page, 'مرحبا').locator('.content');
  await written.waitFor();
  const at = async (role: 'navigation' | 'complementary', name: string) =>
    (await page.getByRole(role, { name }).first().boundingBox())?.x ?? 0;
  expect(await at('navigation', 'Channels')).toBeGreaterThan(await at('complementary', 'People'));
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  // A text from right to left is so in other surroundings, too.
  await page.evaluate("document.documentElement.dir = 'ltr'");
  expect(
    await page.evaluate("getComputedStyle([...document.querySelectorAll('article .content')].at(-1)).direction"),
  ).toBe('rtl');
  expectCalm(person);
  await person.context.close();
});

/** Each would call `attacked` if something of it ran, or ask another host for something. */
const ATTACKS: readonly string[] = [
  '<script>attacked()</script>',
  '<img src=x onerror="attacked()">',
  '[a](javascript:attacked()) [b]( javascript:attacked()) [c](&#106;avascript:attacked()) [d](data:text/html,<script>attacked()</script>)',
  '![" onerror="attacked()](/user_uploads/1/x.png) [a](https://evil.example/x.png"onerror="attacked())',
  'https://evil.example/picture.png https://evil.example/video.mp4 https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  '![picture](https://evil.example/picture.png)',
  '```js" onmouseover="attacked()\nlet a\n```',
  '```spoiler <img src=x onerror=attacked()>\n<svg onload=attacked()>\n```',
  '$$\\href{javascript:attacked()}{x} \\htmlData{a=b}{x} \\unknown<script>$$',
  '$$\\includegraphics{https://evil.example/x.png} \\url{javascript:attacked()}$$',
  '<time:<script>attacked()</script>> <time:"onclick="attacked()>',
  '@**<img src=x onerror=attacked()>** #**general><img src=x onerror=attacked()>**',
  '> <iframe src="https://evil.example"></iframe>\n\n|<b onclick=attacked()>|\n|-|\n|<a href=javascript:attacked()>|',
  '/me <img src=x onerror=attacked()>',
  ':<script>: <style>*{background:url(https://evil.example)}</style> <base href="https://evil.example/">',
];

/** As if the server had not cleaned what it rendered. */
const RAW_ATTACKS = [
  '<img src="data:," onerror="attacked()"><script>attacked()</script><svg onload="attacked()"><script>attacked()</script></svg>',
  '<a class="raw" href="javascript:attacked()">click</a><form action="javascript:attacked()"><button class="raw">go</button></form>',
  '<iframe src="javascript:attacked()"></iframe><iframe srcdoc="<script>parent.attacked()</script>"></iframe>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=data:, onerror=attacked()&gt;"></table></mtext></math>',
  '<object data="https://evil.example/x"></object><embed src="https://evil.example/x"><link rel="stylesheet" href="https://evil.example/x">',
  '<img src="https://evil.example/x.png"><video src="https://evil.example/x.mp4" autoplay></video>',
  '<div style="background:url(https://evil.example/x)">styled</div><meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<details open ontoggle="attacked()"><summary>more</summary></details><input autofocus onfocus="attacked()">',
  '<div class="message_embed"><a class="message_embed_image" href="https://evil.example" style="background-image: url(&quot;https://evil.example/x.png&quot;)"></a></div>',
  '<noscript><p title="</noscript><img src=data:, onerror=attacked()>"></noscript><template><img src=data:, onerror=attacked()></template>',
].join('');

/** Somebody whose page notes whether an attack ran. */
async function openWatched(hash: string): Promise<WebPerson & { attacks: string[] }> {
  const attacks: string[] = [];
  const person = await people.open(network.eve, '#drafts');
  await person.context.exposeFunction('attacked', () => attacks.push('ran'));
  await person.page.reload();
  await goTo(person, hash);
  return { ...person, attacks };
}

test('hostile messages run nothing, load nothing from elsewhere, and lead nowhere', async () => {
  for (const content of ATTACKS) {
    await network.dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'attacks', content });
  }
  await network.dan.call(sendMessage, {
    type: 'channel',
    to: 'general',
    topic: '<img src=x onerror=attacked()>',
    content: 'A topic.',
  });
  const person = await openWatched(addressOf('attacks'));
  const { page, attacks } = person;
  await messageWith(page, 'evil.example').first().waitFor();
  expect(await page.getByRole('article').count()).toBe(ATTACKS.length);
  for (const each of await page.getByRole('article').getByRole('button', { name: 'Show', exact: true }).all())
    await each.click();
  const targets = await page.evaluate("[...document.querySelectorAll('article a[href]')].map((link) => link.protocol)");
  // Without a colon before them there are addresses that lead nowhere.
  expect(new Set(targets as string[])).toEqual(new Set(['http:', 'https:', ':']));
  await goTo(person, `#narrow/channel/${channelId}-general`);
  await messageWith(page, 'A topic.').waitFor();
  await goTo(person, '#narrow/search/onerror');
  await messageWith(page, 'onerror').first().waitFor();
  expect(attacks).toEqual([]);
  expectCalm(person);
  await person.context.close();
});

test('a server that renders wrongly has nothing run in browsers either', async () => {
  await network.dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'raw', content: 'Rendered wrongly.' });
  const person = await openWatched('#drafts');
  const { page, attacks, complaints } = person;
  const sent: string[] = [];
  await page.route('https://evil.example/**', (route) => {
    sent.push(route.request().url());
    return route.abort();
  });
  await page.route('**/json/messages?*', async (route) => {
    const { search } = new URL(route.request().url());
    const { json } = await network.eve.callRaw({ method: 'GET', path: `/api/v1/messages${search}` });
    for (const each of json['messages'] as { content: string }[])
      each.content = `<p>Rendered wrongly.</p>${RAW_ATTACKS}`;
    await route.fulfill({ json });
  });
  await goTo(person, addressOf('raw'));
  await messageWith(page, 'Rendered wrongly.').waitFor();
  for (const each of await page.locator('article .raw').all()) await each.click({ noWaitAfter: true });
  // Removed by the client's sanitizer; the policy has blocked the rest.
  const isLeft =
    "document.querySelector('article :is(script, iframe, object, embed, meta, link, base, [onerror], [onload], [onfocus], [ontoggle], [srcdoc])')";
  expect(await page.evaluate(isLeft)).toBe(null);
  await page.getByRole('link', { name: /^Inbox/ }).click();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  expect(attacks).toEqual([]);
  // Browsers tell what the policy has kept from the page, already when the text is parsed to be cleaned.
  expect(complaints.filter((each) => !each.endsWith('The action has been blocked.'))).toEqual([]);
  expect(sent).toEqual([]);
  await person.context.close();
});

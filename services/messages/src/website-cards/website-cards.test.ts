import http, { type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageEdited } from '@parley/shared/events';
import type { Message, User } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { createFakeClock } from '@parley/shared/testing';
import { announcedBy } from '../../test/announced';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel, toUsers } from '../../test/start-messages';

const HOUR_MS = 60 * 60_000;
const clock = createFakeClock();
let network: MessagesUnderTest;
let ann: User;
let bob: User;
let bot: User;
let lobby: PeerChannel;

beforeAll(async () => {
  network = await startMessages({ clock });
  const { realm } = network;
  [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  bot = realm.addUser('Bot', { isBot: true });
  lobby = realm.addChannel('Lobby');
  realm.subscribe(lobby, ann, bob, bot);
});

const sites: http.Server[] = [];

afterAll(async () => {
  await network.stop();
  for (const site of sites) {
    site.closeAllConnections();
    site.close();
  }
});

beforeEach(() => {
  network.realm.realm.settings = JSON.stringify({ inline_url_embed_preview: true });
});

const PAGE = '<title>The Page</title><meta property="og:image" content="/i.png">';
const html = (text: string) => (res: ServerResponse) => res.setHeader('Content-Type', 'text/html').end(text);

/** The address of a page, and the number of requests for it. */
async function site(listener: RequestListener = (_req, res) => html(PAGE)(res)) {
  const asked = { times: 0 };
  const server = http.createServer((req, res) => {
    asked.times += 1;
    listener(req, res);
  });
  sites.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`, asked };
}

/** A page that answers when it is released. */
async function heldSite() {
  let release = () => {};
  let isAsked = () => {};
  const asking = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const { url, asked } = await site((_req, res) => {
    release = () => void html(PAGE)(res);
    isAsked();
  });
  return { url, asked, asking, release: () => release() };
}

const send = async (user: User, content: string, to: PeerChannel | User[] = lobby) => {
  const request = Array.isArray(to) ? toUsers(to, content) : toChannel(to.id, 'links', content);
  return (await network.client.sendMessage(callerOf(user), request)).messageId;
};

const read = (messageId: number, user = ann): Promise<Message> =>
  network.client.getMessage(callerOf(user), { messageId });

/** Each step is a statement in the database, which takes time. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue()));
}

const hasCard = async (messageId: number) => (await read(messageId)).renderedContent.includes('message_embed');
const isKnown = async (url: string) =>
  (await network.service.db.query('select url from website_card where url = $1 and realm_id = 1', [url])).length === 1;

describe('a message that links to a page', () => {
  test('is sent before the page is fetched, and shows the card later, which is announced to its holders', async () => {
    const { url, asking, release } = await heldSite();
    let messageId = 0;
    const [event, ...others] = await announcedBy(network.service.db, messageEdited, async () => {
      messageId = await send(ann, `@**Bob** see ${url}`);
      await asking;
      expect((await read(messageId)).renderedContent).not.toContain('message_embed');
      release();
      await until(() => hasCard(messageId));
    });
    expect(others).toEqual([]);
    const { renderedContent } = await read(messageId, bob);
    expect(renderedContent).toContain(
      `</p>\n<div class="message_embed"><a class="message_embed_image" href="${url}" style="background-image: url(&quot;${url.replace('/page', '/i.png')}&quot;)"></a>`,
    );
    expect(renderedContent).toContain(`<a href="${url}" title="The Page">The Page</a>`);
    expect(event).toMatchObject({
      editorId: null,
      messageId,
      messageIds: [messageId],
      content: { renderedContent },
      audience: { to: 'subscribers', channelId: lobby.id, version: lobby.subscriptionVersion },
      mentionedIds: [bob.id],
    });
  });

  test('is direct as well', async () => {
    const { url } = await site();
    const [event] = await announcedBy(network.service.db, messageEdited, async () => {
      const messageId = await send(ann, url, [bob]);
      await until(() => hasCard(messageId));
    });
    expect(event).toMatchObject({ audience: { to: 'users', userIds: [ann.id, bob.id] } });
  });

  test('has the card of the new content after an edit', async () => {
    const { url: former, asking, release } = await heldSite();
    const { url } = await site();
    const messageId = await send(ann, former);
    await asking;
    const content = `rather ${url}`;
    await network.client.editMessage(callerOf(ann), editRequest(messageId, content));
    release();
    await until(() => hasCard(messageId));
    expect(await isKnown(former)).toBe(true);
    const { renderedContent } = await read(messageId);
    expect(renderedContent).toContain(`href="${url}"`);
    expect(renderedContent).not.toContain(former);
  });

  test('shows an uploaded picture as well, whichever of the two is ready first', async () => {
    const { client } = network;
    const upload = async (secret: string) => {
      const pathId = `1/ab/${secret.padEnd(24, 's')}/a.png`;
      await client.beginUpload(callerOf(ann), { pathId, name: 'a.png', contentType: 'image/png', size: 1 });
      const image = { contentType: 'image/png', width: 8, height: 6, frames: 1 };
      await client.completeUpload(callerOf(ann), { pathId, size: 1, image });
      return pathId;
    };
    const settle = (pathId: string) => client.settleThumbnails(newCall(), { realmId: 1, pathId, isReady: true });
    const { url, asking, release } = await heldSite();
    const [early, late] = [await upload('early'), await upload('late')];
    const messageId = await send(ann, `[e](/user_uploads/${early}) [l](/user_uploads/${late}) ${url}`);
    await asking;
    await settle(early);
    release();
    await until(() => hasCard(messageId));
    await settle(late);
    const { renderedContent } = await read(messageId);
    expect(renderedContent).not.toContain('image-loading-placeholder');
    for (const shown of [`thumbnail/${early}`, `thumbnail/${late}`, 'message_embed_image']) {
      expect(renderedContent).toContain(shown);
    }
  });

  test('does not announce it to users removed from the private channel meanwhile', async () => {
    const { realm, client, service } = network;
    const vault = realm.addChannel('Vault', { isPrivate: true, isHistoryPublic: false });
    realm.subscribe(vault, ann, bob);
    const { url, asking, release } = await heldSite();
    const messageId = await send(ann, url, vault);
    const sentVersion = vault.subscriptionVersion;
    await asking;
    realm.unsubscribe(vault, bob);
    await client.editMessage(callerOf(ann), editRequest(messageId, `secret ${url}`));
    const [event] = await announcedBy(service.db, messageEdited, async () => {
      release();
      await until(() => hasCard(messageId));
    });
    const sent = { channelId: vault.id, version: sentVersion };
    expect(event?.content?.content).toBe(`secret ${url}`);
    expect(event?.audience).toEqual({
      to: 'subscribers',
      channelId: vault.id,
      version: sentVersion + 1,
      isPublic: false,
      alsoIds: [],
      conditions: [{ channelId: vault.id, versions: [sentVersion], wereSubscribed: true }],
      receivedAt: [sent],
    });
  });

  test('may be deleted before the page arrives', async () => {
    const { url, asking, release } = await heldSite();
    const messageId = await send(ann, url);
    await asking;
    await network.client.deleteMessage(callerOf(ann), { messageId });
    release();
    await until(() => isKnown(url));
    const { url: next } = await site();
    const later = await send(ann, next);
    await until(() => hasCard(later));
  });
});

const editRequest = (messageId: number, content: string) => ({
  messageId,
  content,
  propagateMode: 'change_one',
  tellsOldTopic: false,
  tellsNewTopic: false,
});

describe('a page', () => {
  test('is fetched once a day, for all links to it', async () => {
    const { url, asked } = await site();
    for (const user of [ann, bob]) await until(async () => hasCard(await sentBy(user, url)));
    expect(asked.times).toBe(1);
    clock.advance(23 * HOUR_MS);
    const again = await send(ann, url);
    await until(() => hasCard(again));
    expect(asked.times).toBe(1);
    clock.advance(2 * HOUR_MS);
    const late = await send(ann, url);
    await until(() => hasCard(late));
    expect(asked.times).toBe(2);
  });

  async function sentBy(user: User, url: string): Promise<number> {
    const messageId = await send(user, url);
    await until(() => hasCard(messageId));
    return messageId;
  }

  test.each<[string, RequestListener]>([
    ['is missing', (_req, res) => void res.writeHead(404, { 'Content-Type': 'text/html' }).end(PAGE)],
    ['is none', (_req, res) => void res.setHeader('Content-Type', 'application/json').end(PAGE)],
    ['has no picture', (_req, res) => void html('<title>T</title>')(res)],
    ['breaks off', (_req, res) => void res.destroy()],
    ['is squeezed', (_req, res) => void html(PAGE)(res.setHeader('Content-Encoding', 'gzip'))],
    ['leads inside', (_req, res) => void res.writeHead(302, { Location: 'http://127.0.0.2/' }).end()],
  ])('that %s has no card, and is not asked again for an hour', async (_what, listener) => {
    const { url, asked } = await site(listener);
    const first = await send(ann, url);
    await until(() => isKnown(url));
    const second = await send(ann, url);
    const { url: good } = await site();
    const third = await send(ann, good);
    await until(() => hasCard(third));
    expect([await hasCard(first), await hasCard(second), asked.times]).toEqual([false, false, 1]);
  });

  test('is found through redirects, at its beginning and in its own encoding', async () => {
    const { url } = await site((req, res) => {
      if (req.url === '/page') return void res.writeHead(301, { Location: '/there' }).end();
      const head = Buffer.from('<title>gr\xfcn</title><meta property="og:image" content="i.png">', 'latin1');
      const body = Buffer.concat([head, Buffer.alloc(1_000_000, 'x')]);
      res.setHeader('Content-Type', 'text/html; charset=iso-8859-1').end(body);
    });
    const messageId = await send(ann, url);
    await until(() => hasCard(messageId));
    expect((await read(messageId)).renderedContent).toContain('>grün</a>');
  });

  test('is not fetched inside the network, if the organization disabled it, or for a bot', async () => {
    const [inside, unwanted, ofBot, wanted] = [await site(), await site(), await site(), await site()];
    const byOtherAddress = inside.url.replace('127.0.0.1', '127.0.0.2');
    const first = await send(ann, byOtherAddress);
    await until(() => isKnown(byOtherAddress));
    await send(bot, ofBot.url);
    network.realm.realm.settings = '{}';
    await send(ann, unwanted.url);
    network.realm.realm.settings = JSON.stringify({ inline_url_embed_preview: true });
    const last = await send(ann, wanted.url);
    await until(() => hasCard(last));
    expect(await hasCard(first)).toBe(false);
    expect([inside, unwanted, ofBot, wanted].map(({ asked }) => asked.times)).toEqual([0, 0, 0, 1]);
  });

  test('that is too old is forgotten when others come', async () => {
    const { url } = await site();
    const old = await send(ann, url);
    await until(() => hasCard(old));
    clock.advance(25 * HOUR_MS);
    const others = await Promise.all(Array.from({ length: 3 }, () => site()));
    const later = await send(ann, others.map((other) => other.url).join(' '));
    await until(() => hasCard(later));
    expect(await isKnown(url)).toBe(false);
    expect(await Promise.all(others.map((other) => isKnown(other.url)))).toEqual([true, true, true]);
  });
});

test('running fetches are aborted when the service stops', async () => {
  const replica = await network.startReplica();
  const { url, asking } = await heldSite();
  await replica.client.sendMessage(callerOf(ann), toChannel(lobby.id, 'links', url));
  await asking;
  await replica.stop();
  expect(await isKnown(url)).toBe(false);
});

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createChannel,
  deleteAttachment,
  deleteMessage,
  editMessage,
  getAttachments,
  getMessage,
  getTemporaryFileUrl,
  getThumbnailStatus,
  sendMessage,
  updateRealm,
} from '@parley/gateway/endpoints';
import * as tus from 'tus-js-client';
import { type TestClient, TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({
    settings: { WEB_PUBLIC_STREAMS_ENABLED: 'true', OUTGOING_ALLOW: '127.0.0.1', MAX_FILE_UPLOAD_SIZE_MIB: '1' },
  });
});
afterAll(() => network.stop());

/** One grey pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

interface File {
  field?: string;
  name?: string;
  type?: string;
  bytes?: Buffer | string;
}

function multipart(...files: File[]) {
  const parts = files.flatMap(({ field = 'f', name = 'dot.png', type = 'image/png', bytes = PNG }) => [
    `--B\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
    bytes,
    '\r\n',
  ]);
  const body = Buffer.concat([...parts, '--B--\r\n'].map((part) => Buffer.from(part)));
  return {
    method: 'POST',
    path: '/api/v1/user_uploads',
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
    body,
  };
}

async function upload(client: TestClient, file: File = {}): Promise<string> {
  const { json } = await client.callRaw(multipart(file));
  return json['url'] as string;
}

const get = (client: TestClient, url: string, headers: Record<string, string | null> = {}) =>
  client.callRaw({ method: 'GET', path: url, headers });

const asNobody = { authorization: null };

const statusOf = async (client: TestClient, url: string) => (await client.callRaw({ method: 'GET', path: url })).status;

test('a picture is uploaded, shown to receivers of the message, and absent once its owner deletes it', async () => {
  const { dan, eve } = network;
  const [mine, theirs] = [await dan.events(), await eve.events()];
  const url = await upload(dan);
  const added = await mine.next('attachment');
  expect(added).toMatchObject({ op: 'add', attachment: { name: 'dot.png', size: PNG.length, messages: [] } });
  expect(await statusOf(eve, url)).toBe(403);

  const content = `[dot.png](${url})`;
  const { id } = await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'pictures', content });
  expect(await mine.next('attachment')).toMatchObject({ op: 'update', attachment: { messages: [{ id }] } });
  const shown = async () => (await eve.call(getMessage, { message_id: id })).message.content;
  // Whether the thumbnail was ready when the message was sent is a matter of milliseconds.
  if ((await shown()).includes('image-loading-placeholder')) {
    expect(await theirs.next('update_message')).toMatchObject({ rendering_only: true, user_id: null, message_id: id });
  }
  const thumbnail = `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`;
  expect(await shown()).toContain(
    `<img data-original-content-type="image/png" data-original-dimensions="1x1" src="${thumbnail}">`,
  );
  expect([await statusOf(eve, url), await statusOf(eve, thumbnail)]).toEqual([200, 200]);

  const { attachments } = await dan.call(getAttachments, {});
  await dan.call(deleteAttachment, { attachment_id: attachments[0]?.id as number });
  expect(await mine.next('attachment')).toMatchObject({
    op: 'remove',
    attachment: { id: attachments[0]?.id },
    upload_space_used: 0,
  });
  expect([await statusOf(eve, url), await statusOf(eve, thumbnail)]).toEqual([404, 404]);
});

test('a form has exactly one file of an allowed size; otherwise the error gives the reason', async () => {
  const { dan } = network;
  const answer = async (...files: File[]) => (await dan.callRaw(multipart(...files))).json;
  expect(await answer()).toMatchObject({ code: 'BAD_REQUEST', msg: 'You must specify a file to upload' });
  expect(await answer({}, {})).toMatchObject({ code: 'BAD_REQUEST', msg: 'You may only upload one file at a time' });
  expect(await answer({ bytes: Buffer.alloc(1024 * 1024 + 1) })).toMatchObject({
    msg: "File is larger than this server's configured maximum upload size (1 MiB).",
  });
  const json = await answer({ field: 'whatever', name: 'my%20 – notes.txt', type: 'text/plain', bytes: 'x' });
  expect(json).toMatchObject({ filename: 'my  – notes.txt', uri: json['url'] });
  expect(json['url']).toMatch(/^\/user_uploads\/\d+\/[0-9a-f]{1,2}\/[\w-]{24}\/my-notes\.txt$/);
  const { headers, text } = await get(dan, json['url'] as string);
  expect([text, headers['content-type'], headers['cache-control']]).toEqual(['x', 'text/plain', 'private, immutable']);
});

test('a file comes in parts, and is then one like others', async () => {
  const { dan, eve } = network;
  const [version, bytes] = [{ 'tus-resumable': '1.0.0' }, 'hello, parts'];
  const name = Buffer.from('grüße an.txt').toString('base64');
  const create = (headers: Record<string, string | null>) =>
    dan.callRaw({ method: 'POST', path: '/api/v1/tus/', headers: { ...version, ...headers } });
  expect((await create({ 'upload-length': '1', authorization: null })).status).toBe(401);
  expect((await create({ 'upload-defer-length': '1' })).status).toBe(411);
  const large = await create({ 'upload-length': String(1024 * 1024 + 1) });
  expect([large.status, Object.keys(large.json)]).toEqual([413, ['message']]);
  const created = await create({
    'upload-length': String(bytes.length),
    'upload-metadata': `filename ${name},filetype dGV4dC9wbGFpbg==`,
  });
  expect(created.status).toBe(201);
  const path = new URL(created.headers['location'] as string, 'http://x').pathname;
  const patch = (offset: number, body: string) =>
    dan.callRaw({
      method: 'PATCH',
      path,
      body,
      headers: { ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    });
  expect((await patch(0, bytes.slice(0, 5))).status).toBe(204);
  expect((await patch(0, bytes)).status).toBe(409);
  const head = await dan.callRaw({ method: 'HEAD', path, headers: version });
  expect([head.status, head.headers['upload-offset']]).toEqual([200, '5']);
  expect((await eve.callRaw({ method: 'HEAD', path, headers: version })).status).toBe(404);
  const done = await patch(5, bytes.slice(5));
  expect([done.status, done.json]).toEqual([200, { url: expect.any(String), filename: 'gre-an.txt' }]);
  expect(done.json['url']).toBe(path.replace('/api/v1/tus/', '/user_uploads/'));
  expect((await get(dan, done.json['url'] as string)).text).toBe(bytes);
});

test('users with access to a file get a link for it that needs no credentials', async () => {
  const { dan, eve } = network;
  const url = await upload(dan, { name: 'a.txt', type: 'text/plain', bytes: 'x' });
  const [, , realm = '', ...rest] = url.split('/');
  const place = { realm_id_str: Number(realm), filename: rest.join('/') };
  const { url: address } = await dan.call(getTemporaryFileUrl, place);
  expect((await get(dan, address, asNobody)).text).toBe('x');
  expect((await get(dan, address.replace('a.txt', 'b.txt'), asNobody)).json['msg']).toBe('Invalid filename');
  expect((await get(dan, address.replace('temporary/', 'temporary/x'), asNobody)).json['msg']).toBe('Invalid token');
  expect((await get(eve, `/api/v1${url}`)).status).toBe(403);
  expect((await eve.callRaw({ method: 'GET', path: `/api/v1/thumbnail/status${url.slice(13)}` })).status).toBe(403);
  expect(await dan.call(getThumbnailStatus, place)).toMatchObject({ has_thumbnail: false });
  const picture = (await upload(dan)).split('/');
  const status = () =>
    dan.call(getThumbnailStatus, { realm_id_str: Number(picture[2]), filename: picture.slice(3).join('/') });
  while (!(await status()).has_thumbnail);
});

test('files left without a message by an edit or deletion are announced, listed and still stored', async () => {
  const { dan, eve } = network;
  const urls = [await upload(dan), await upload(dan, { name: 'b.txt', type: 'text/plain', bytes: 'x' })];
  const content = urls.map((url) => `[f](${url})`).join(' ');
  const { id } = await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'files', content });
  const { detached_uploads: detached } = await dan.call(editMessage, { message_id: id, content: `[f](${urls[0]})` });
  expect(detached).toMatchObject([{ name: 'b.txt', size: 1, messages: [], path_id: urls[1]?.slice(14) }]);
  expect([await statusOf(eve, urls[0] as string), await statusOf(eve, urls[1] as string)]).toEqual([200, 403]);
  const listed = async () => (await dan.call(getAttachments, {})).attachments;
  const ofThem = async () => (await listed()).filter(({ path_id }) => urls.includes(`/user_uploads/${path_id}`));
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
  expect((await ofThem()).sort(byName)).toMatchObject([
    { name: 'b.txt', messages: [] },
    { name: 'dot.png', messages: [{ id, date_sent: expect.any(Number) }] },
  ]);
  await dan.call(deleteMessage, { message_id: id });
  expect((await ofThem()).map(({ messages }) => messages)).toEqual([[], []]);
  expect(await statusOf(dan, urls[0] as string)).toBe(200);
  const theirs = (await ofThem())[0]?.id as number;
  expect(await eve.expectError('BAD_REQUEST', deleteAttachment, { attachment_id: theirs })).toMatchObject({
    msg: 'Invalid attachment',
  });
});

test('a file of a web-public channel is for everybody, others are not', async () => {
  const { dan, iris } = network;
  const [shown, hidden] = [await upload(dan), await upload(dan)];
  const thumbnail = `${shown.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`;
  const nobodys = (url: string) => get(dan, url, asNobody).then(({ status }) => status);
  expect(await nobodys(shown)).toBe(401);
  await iris.call(updateRealm, { enable_spectator_access: true });
  await iris.call(createChannel, { name: 'square', subscribers: [dan.userId], is_web_public: true });
  expect([await nobodys(shown), await nobodys(hidden)]).toEqual([403, 403]);
  await dan.call(sendMessage, { type: 'channel', to: 'square', topic: 'x', content: `[f](${shown})` });
  await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'x', content: `[f](${hidden})` });
  const download = shown.replace('/user_uploads/', '/user_uploads/download/');
  expect(await Promise.all([shown, thumbnail, download].map(nobodys))).toEqual([200, 200, 200]);
  expect(await nobodys(hidden)).toBe(403);
  const page = await get(dan, hidden, asNobody);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  await iris.call(updateRealm, { enable_spectator_access: false });
  expect(await nobodys(shown)).toBe(401);
});

test('the card of a linked page follows the message, for all its holders', async () => {
  const { dan, eve, iris } = network;
  const site = http.createServer((_req, res) => {
    res.setHeader('Content-Type', 'text/html');
    res.end('<title>The Page</title><meta property="og:image" content="/i.png">');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve).unref());
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  await iris.call(updateRealm, { inline_url_embed_preview: true });
  const queue = await eve.events({ event_types: ['message', 'update_message'], apply_markdown: true });
  const { id } = await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'links', content: url });
  const sent = (await queue.next('message')) as unknown as { message: { content: string } };
  expect(sent.message.content).toBe(`<p><a href="${url}">${url}</a></p>`);
  const update = await queue.next('update_message');
  expect(update).toMatchObject({
    rendering_only: true,
    user_id: null,
    message_id: id,
    message_ids: [id],
    content: url,
  });
  const { message } = await eve.call(getMessage, { message_id: id });
  expect(message.content).toBe(update['rendered_content']);
  expect(message.content).toBe(
    `${sent.message.content}\n<div class="message_embed"><a class="message_embed_image" href="${url}" style="background-image: url(&quot;${url}i.png&quot;)"></a><div class="data-container"><div class="message_embed_title"><a href="${url}" title="The Page">The Page</a></div></div></div>`,
  );
  expect(message.last_edit_timestamp).toBeUndefined();
});

describe('a client of the tus protocol', () => {
  /** Reaches the network, whose addresses no resolver knows. */
  function stackTo(address: string): tus.HttpStack {
    const stack = new tus.DefaultHttpStack({ headers: { Host: HOST } } as never);
    return {
      createRequest: (method, url) =>
        stack.createRequest(method, url.replace(/^https?:\/\/[^/]+/, `http://${address}`)),
      getName: () => 'to the network',
    };
  }
  const HOST = 'parley.test';
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_none, at) => at % 251));

  function clientOf(options: Partial<tus.UploadOptions>): {
    upload: tus.Upload;
    result: Promise<Record<string, string>>;
  } {
    const { email, apiKey } = network.dan;
    let upload!: tus.Upload;
    const result = new Promise<Record<string, string>>((resolve, reject) => {
      upload = new tus.Upload(bytes, {
        endpoint: `https://${HOST}/api/v1/tus`,
        headers: { Authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` },
        metadata: { filename: 'steps.bin', filetype: 'application/x-steps' },
        httpStack: stackTo(network.addresses.gateway),
        chunkSize: 100_000,
        onSuccess: ({ lastResponse }) => resolve(JSON.parse(lastResponse.getBody())),
        onError: reject,
        ...options,
      });
    });
    return { upload, result };
  }

  test.each([false, true])('sends a file in parts, the first one with the creation: %s', async (isWithCreation) => {
    const { upload, result } = clientOf({ uploadDataDuringCreation: isWithCreation });
    upload.start();
    const { url, filename } = await result;
    expect(filename).toBe('steps.bin');
    expect(upload.url).toBe(`https://${HOST}${url?.replace('/user_uploads/', '/api/v1/tus/')}`);
    const served = await get(network.dan, url as string);
    expect([served.status, served.headers['content-length']]).toEqual([200, String(bytes.length)]);
  });

  test('goes on where it was interrupted', async () => {
    const { upload, result } = clientOf({
      onChunkComplete: (_size, accepted) => {
        if (accepted === 100_000) void upload.abort().then(() => upload.start());
      },
    });
    upload.start();
    const { url } = await result;
    expect((await get(network.dan, url as string)).status).toBe(200);
  });

  test('gives an upload up', async () => {
    await new Promise<void>((resolve, reject) => {
      const { upload, result } = clientOf({
        onChunkComplete: () => void upload.abort(true).then(resolve, reject),
      });
      result.catch(reject);
      upload.start();
    });
    const { attachments } = await network.dan.call(getAttachments, {});
    expect(attachments.filter(({ size }) => size !== bytes.length && size > 90_000)).toEqual([]);
  });
});

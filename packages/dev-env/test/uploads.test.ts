import { deleteAttachment, getAttachments, getMessage, sendMessage } from '@parley/gateway/endpoints';
import { type TestClient, TestNetwork } from '../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

/** One grey pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

async function upload(client: TestClient): Promise<string> {
  const head = '--B\r\nContent-Disposition: form-data; name="f"; filename="dot.png"\r\nContent-Type: image/png\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), PNG, Buffer.from('\r\n--B--\r\n')]);
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  const { json } = await client.callRaw({ method: 'POST', path: '/api/v1/user_uploads', headers, body });
  return json['url'] as string;
}

const statusOf = async (client: TestClient, url: string) => (await client.callRaw({ method: 'GET', path: url })).status;

test('a picture is uploaded, shown to whoever gets the message, and gone once its owner deletes it', async () => {
  const { dan, eve } = network;
  const [mine, theirs] = [await dan.events(), await eve.events()];
  const url = await upload(dan);
  const added = await mine.next('attachment');
  expect(added).toMatchObject({ op: 'add', attachment: { name: 'dot.png', size: PNG.length, messages: [] } });
  expect(await statusOf(eve, url)).toBe(403);

  const content = `[dot.png](${url})`;
  const { id } = await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'pictures', content });
  expect(await mine.next('attachment')).toMatchObject({ op: 'update', attachment: { messages: [{ id }] } });
  const sent = (await theirs.next('message')) as unknown as { message: { content: string } };
  // Whether the thumbnail was ready when the message was sent is a matter of milliseconds.
  if (sent.message.content.includes('image-loading-placeholder')) {
    expect(await theirs.next('update_message')).toMatchObject({ rendering_only: true, user_id: null, message_id: id });
  }
  const thumbnail = `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`;
  const { message } = await eve.call(getMessage, { message_id: id });
  expect(message.content).toContain(
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

import { BadRequestError } from '@parley/shared/errors';
import type { MailLink } from '@parley/shared/proto';
import { formBody, startGateway, type TestGateway } from '../gateway';

const KEY = `1-7-d-${'k'.repeat(43)}`;
const LINK: MailLink = {
  organizationName: '<b>Acme</b>',
  kind: 'digest',
  address: 'dan@x.example',
  language: 'en',
  isDone: false,
};

let gateway: TestGateway;
let link: MailLink;
beforeEach(async () => {
  gateway = await startGateway();
  link = LINK;
  Object.assign(gateway.realm.answers, {
    findMailLink: async () => link,
    followMailLink: async () => ({ ...link, isDone: true }),
  });
});
afterEach(() => gateway.stop());

const request = (method: string, more: object = {}) =>
  gateway.request({ method, path: `/unsubscribe/${KEY}`, as: false, ...more });
const isFollowed = () => gateway.realm.seen.some(({ method }) => method === 'followMailLink');

test('the page asks whether such mails are to end, and ends none', async () => {
  const answer = await request('GET');
  expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('<h1>No more such mails?</h1>') });
  expect(answer.text).toContain(
    '<p>dan@x.example gets digests of what happened while you were away from &lt;b&gt;Acme&lt;/b&gt;.</p>',
  );
  expect(answer.text).toContain('<form method="post"><button type="submit">Send me no more of them</button></form>');
  expect(isFollowed()).toBe(false);
});

test('its button ends them, and says how to have them again', async () => {
  const answer = await request('POST');
  expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('<h1>No more such mails</h1>') });
  expect(answer.text).toContain('<a href="/#settings/notifications">');
  expect(gateway.realm.last('followMailLink')).toEqual({ subdomain: '', key: KEY });
});

test('a mail program ends them by one click, from wherever it is', async () => {
  const headers = { Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' };
  const answer = await request('POST', { ...formBody({ 'List-Unsubscribe': 'One-Click' }), headers });
  expect(answer.status).toBe(200);
  expect(isFollowed()).toBe(true);
});

test('it is in the person’s language', async () => {
  link = { ...LINK, kind: 'sign_in', language: 'de' };
  const { text } = await request('GET');
  expect(text).toContain('<html lang="de">');
  expect(text).toContain('<h1>Keine solchen Mails mehr?</h1>');
});

test('mails that have ended need no button', async () => {
  link = { ...LINK, isDone: true };
  const { text } = await request('GET');
  expect(text).toContain('dan@x.example no longer gets digests');
  expect(text).not.toContain('<form');
});

test('a link about the address has mails sent again', async () => {
  link = { ...LINK, kind: 'address' };
  expect((await request('GET')).text).toContain('<h1>Is this address right?</h1>');
  expect((await request('POST')).text).toContain('<h1>Mails are sent again</h1>');
});

test('a link that is not valid says so', async () => {
  const refuse = async () => {
    throw new BadRequestError('The link is not valid.', {}, 404);
  };
  Object.assign(gateway.realm.answers, { findMailLink: refuse, followMailLink: refuse });
  for (const method of ['GET', 'POST']) {
    expect(await request(method)).toMatchObject({
      status: 404,
      text: expect.stringContaining('The link is not valid.'),
    });
  }
});

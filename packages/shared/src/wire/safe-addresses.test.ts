import type { Bot, Message } from '../proto';
import { realmSettingsOf } from '../values';
import { publicBot, publicLinkifiers, publicMessage, publicPlaygrounds, publicProfileField } from './index';

// An address stored by a release that did not check addresses.
const BAD = 'javascript:alert(1)';
const view = { applyMarkdown: true, clientGravatar: false, isEmptyTopicUnderstood: true };

test('links of topics, linkifiers and playgrounds that could run code are left out', () => {
  const links = [
    { text: 'a', url: BAD },
    { text: 'b', url: 'https://example.com' },
  ];
  const message = { topicLinks: links, reactions: [], submessages: [], participants: [], sentAtMs: 0 };
  const { topic_links } = publicMessage(message as unknown as Message, view);
  expect(topic_links).toEqual([links[1]]);
  const template = (id: number, urlTemplate: string) => ({
    id,
    pattern: 'x',
    name: '',
    pygmentsLanguage: '',
    urlTemplate,
  });
  const templates = [template(1, `${BAD}{x}`), template(2, 'https://example.com/{x}')];
  expect(publicLinkifiers(templates).map(({ id }) => id)).toEqual([2]);
  expect(publicPlaygrounds(templates).map(({ id }) => id)).toEqual([2]);
});

test('other addresses that could run code become empty', () => {
  expect(realmSettingsOf({ settings: JSON.stringify({ jitsi_server_url: BAD }) }).jitsi_server_url).toBeNull();
  const bot = {
    user: {
      id: 1,
      fullName: 'Bot',
      botType: 3,
      email: 'a@example.com',
      deliveryEmail: 'a@example.com',
      avatarSource: 'G',
    },
    webhook: { payloadUrl: BAD, interface: 1, token: '' },
  } as unknown as Bot;
  expect(publicBot(bot).services).toMatchObject([{ base_url: '' }]);
  const field = { id: 1, order: 1, name: '', hint: '', isRequired: false, isEditableByUser: true, isInSummary: false };
  const fieldData = JSON.stringify({ subtype: 'custom', url_pattern: `${BAD}%(username)s` });
  expect(JSON.parse(publicProfileField({ ...field, type: 7, fieldData }).field_data)).toMatchObject({
    url_pattern: '',
  });
  const options = '{"url_pattern":{"text":"a","order":"1"}}';
  expect(publicProfileField({ ...field, type: 3, fieldData: options }).field_data).toBe(options);
});

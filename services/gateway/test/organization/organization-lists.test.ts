import { BadImageError, BadRequestError } from '@parley/shared/errors';
import type { ChannelFolder, CustomEmoji, ProfileField } from '@parley/shared/proto';
import {
  addAllowedDomain,
  addCustomEmoji,
  addDefaultChannel,
  addLinkifier,
  addPlayground,
  createChannelFolder,
  createProfileField,
  deactivateCustomEmoji,
  listAllowedDomains,
  listChannelFolders,
  listCustomEmoji,
  listLinkifiers,
  listProfileFields,
  removeAllowedDomain,
  removeDefaultChannel,
  removeLinkifier,
  removePlayground,
  removeProfileField,
  removeProfileValues,
  reorderChannelFolders,
  reorderLinkifiers,
  reorderProfileFields,
  setProfileValues,
  updateAllowedDomain,
  updateChannelFolder,
  updateLinkifier,
  updateProfileField,
} from '../../src/endpoints';
import { eg } from '../eg';
import { formBody, startGateway, type TestGateway } from '../gateway';

const MUTATIONS = [
  'updateLinkifier',
  'removeLinkifier',
  'reorderLinkifiers',
  'removePlayground',
  'updateChannelFolder',
  'reorderChannelFolders',
  'addDefaultChannel',
  'removeDefaultChannel',
  'updateAllowedDomain',
  'removeAllowedDomain',
  'updateProfileField',
  'removeProfileField',
  'reorderProfileFields',
  'setProfileValues',
  'removeProfileValues',
  'deactivateCustomEmoji',
];
const MAKERS = ['addLinkifier', 'addPlayground', 'createChannelFolder', 'createProfileField', 'addCustomEmoji'];

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  const answers = gateway.realm.answers as unknown as Record<string, unknown>;
  for (const name of MUTATIONS) answers[name] = async () => ({});
  for (const name of MAKERS) answers[name] = async () => ({ id: 5 });
});
afterEach(() => gateway.stop());

const SUCCESS = { result: 'success', msg: '' };
const asked = (method: string) => gateway.realm.last(method);
const send = (method: string, path: string, form: Record<string, string>) =>
  gateway.request({ method, path: `/api/v1${path}`, ...formBody(form) });

const FOLDER: ChannelFolder = {
  id: 3,
  name: 'Teams',
  description: 'a',
  renderedDescription: '<p>a</p>',
  order: 0,
  creatorId: 11,
  isArchived: false,
  createdAtMs: 1_700_000_000_900,
};
const PUBLIC_FOLDER = {
  id: 3,
  name: 'Teams',
  description: 'a',
  rendered_description: '<p>a</p>',
  order: 0,
  creator_id: 11,
  is_archived: false,
  date_created: 1_700_000_000,
};
const FIELD: ProfileField = {
  id: 4,
  type: 1,
  order: 4,
  name: 'Phone',
  hint: '',
  fieldData: '',
  isInSummary: true,
  isRequired: false,
  isEditableByUser: true,
};
const PUBLIC_FIELD = {
  id: 4,
  type: 1,
  order: 4,
  name: 'Phone',
  hint: '',
  field_data: '',
  required: false,
  editable_by_user: true,
  use_for_user_matching: false,
  display_in_profile_summary: true,
};
const EMOJI: CustomEmoji = { id: 8, realmId: 2, name: 'logo', fileName: 'a.png', isDeactivated: false, authorId: 11 };
const PUBLIC_EMOJI = {
  8: {
    id: '8',
    name: 'logo',
    source_url: '/user_avatars/2/emoji/images/a.png',
    still_url: null,
    deactivated: false,
    author_id: 11,
  },
};
const LINKIFIER = { id: 6, pattern: '#(?P<id>\\d+)', urlTemplate: 'https://x.example/{id}' };
const PUBLIC_LINKIFIER = {
  id: 6,
  pattern: LINKIFIER.pattern,
  url_template: LINKIFIER.urlTemplate,
  example_input: null,
  reverse_template: null,
  alternative_url_templates: [],
};

describe('linkifiers', () => {
  test('are listed in their order', async () => {
    gateway.realm.answers.listLinkifiers = async () => ({ linkifiers: [LINKIFIER] });
    expect((await gateway.call(listLinkifiers, {})).json).toEqual({ ...SUCCESS, linkifiers: [PUBLIC_LINKIFIER] });
  });

  test('are added, changed, removed and reordered', async () => {
    // Neither is trimmed: blanks are part of a pattern.
    const sent = { pattern: ' a ', url_template: 'https://x.example/{b} ' };
    const understood = { pattern: ' a ', urlTemplate: 'https://x.example/{b} ' };
    expect((await gateway.call(addLinkifier, sent)).json).toEqual({ ...SUCCESS, id: 5 });
    expect(asked('addLinkifier')).toEqual(understood);
    expect((await gateway.call(updateLinkifier, { filter_id: 6, ...sent })).json).toEqual(SUCCESS);
    expect(asked('updateLinkifier')).toEqual({ id: 6, ...understood });
    await gateway.call(removeLinkifier, { filter_id: 6 });
    expect(asked('removeLinkifier')).toEqual({ id: 6 });
    await gateway.call(reorderLinkifiers, { ordered_linkifier_ids: [7, 6] });
    expect(asked('reorderLinkifiers')).toEqual({ orderedIds: [7, 6] });
  });

  test('list the errors of each field', async () => {
    gateway.realm.answers.addLinkifier = async () => {
      throw new BadRequestError('Invalid URL template.', { errors: { url_template: ['Invalid URL template.'] } });
    };
    expect(await gateway.call(addLinkifier, { pattern: 'a', url_template: '{' })).toMatchObject({
      status: 400,
      json: { code: 'BAD_REQUEST', msg: 'Invalid URL template.', errors: { url_template: ['Invalid URL template.'] } },
    });
  });

  test('require both of their parts', async () => {
    expect((await send('PATCH', '/realm/filters/6', { pattern: 'a' })).json).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'url_template',
    });
  });
});

test('playgrounds are added and removed', async () => {
  const sent = { name: 'Rust', pygments_language: 'Rust', url_template: 'https://x.example/{code}' };
  expect((await gateway.call(addPlayground, sent)).json).toEqual({ ...SUCCESS, id: 5 });
  expect(asked('addPlayground')).toEqual({
    name: 'Rust',
    pygmentsLanguage: 'Rust',
    urlTemplate: 'https://x.example/{code}',
  });
  expect((await gateway.call(removePlayground, { playground_id: 9 })).json).toEqual(SUCCESS);
  expect(asked('removePlayground')).toEqual({ id: 9 });
});

describe('channel folders', () => {
  test('are listed, archived ones only on request', async () => {
    gateway.realm.answers.listChannelFolders = async () => ({ folders: [FOLDER] });
    expect((await gateway.call(listChannelFolders, {})).json).toEqual({ ...SUCCESS, channel_folders: [PUBLIC_FOLDER] });
    expect(asked('listChannelFolders')).toEqual({ includesArchived: false });
    await gateway.call(listChannelFolders, { include_archived: true });
    expect(asked('listChannelFolders')).toEqual({ includesArchived: true });
  });

  test('are made, changed in part and reordered', async () => {
    expect((await gateway.call(createChannelFolder, { name: 'Teams' })).json).toEqual({
      ...SUCCESS,
      channel_folder_id: 5,
    });
    expect(asked('createChannelFolder')).toEqual({ name: 'Teams', description: '' });
    await gateway.call(updateChannelFolder, { channel_folder_id: 3, is_archived: false });
    expect(asked('updateChannelFolder')).toEqual({ id: 3, isArchived: false });
    await gateway.call(updateChannelFolder, { channel_folder_id: 3, name: '', description: 'b' });
    expect(asked('updateChannelFolder')).toEqual({ id: 3, name: '', description: 'b' });
    await gateway.call(reorderChannelFolders, { order: [4, 3] });
    expect(asked('reorderChannelFolders')).toEqual({ orderedIds: [4, 3] });
  });
});

test('default channels are added and removed', async () => {
  await gateway.call(addDefaultChannel, { stream_id: 7 });
  expect(asked('addDefaultChannel')).toEqual({ channelId: 7 });
  await gateway.call(removeDefaultChannel, { stream_id: 7 });
  expect(asked('removeDefaultChannel')).toEqual({ channelId: 7 });
});

test('allowed domains are listed, added, changed and removed', async () => {
  const entry = { id: 1, domain: 'acme.example', allowsSubdomains: true };
  gateway.realm.answers.listAllowedDomains = async () => ({ domains: [entry] });
  gateway.realm.answers.addAllowedDomain = async () => entry;
  expect((await gateway.call(listAllowedDomains, {})).json.domains).toEqual([
    { domain: 'acme.example', allow_subdomains: true },
  ]);
  const added = await gateway.call(addAllowedDomain, { domain: 'Acme.example', allow_subdomains: true });
  expect(added.json).toEqual({ ...SUCCESS, new_domain: [1, 'acme.example'] });
  await gateway.call(updateAllowedDomain, { domain: 'acme.example', allow_subdomains: false });
  expect(asked('updateAllowedDomain')).toEqual({ domain: 'acme.example', allowsSubdomains: false });
  await gateway.call(removeAllowedDomain, { domain: 'acme.example' });
  expect(asked('removeAllowedDomain')).toEqual({ domain: 'acme.example' });
});

describe('profile fields', () => {
  test('are listed', async () => {
    gateway.realm.answers.listProfileFields = async () => ({ fields: [FIELD] });
    expect((await gateway.call(listProfileFields, {})).json).toEqual({ ...SUCCESS, custom_fields: [PUBLIC_FIELD] });
  });

  test('are created, with the defaults of the API', async () => {
    expect((await gateway.call(createProfileField, { field_type: 1 })).json).toEqual({ ...SUCCESS, id: 5 });
    expect(asked('createProfileField')).toEqual({
      type: 1,
      name: '',
      hint: '',
      fieldData: '{}',
      isInSummary: false,
      isRequired: false,
      isEditableByUser: true,
    });
    const options = { a: { text: 'A', order: '1' } };
    await gateway.call(createProfileField, { field_type: 3, name: 'Letter', field_data: options });
    expect(asked('createProfileField')).toMatchObject({ fieldData: JSON.stringify(options) });
    const answer = await send('POST', '/realm/profile_fields', { field_type: '3', field_data: '[]' });
    expect(answer).toMatchObject({ status: 400, json: { msg: 'field_data is not a dict' } });
  });

  test('are changed in part, removed and reordered', async () => {
    await gateway.call(updateProfileField, { field_id: 4, required: true });
    expect(asked('updateProfileField')).toEqual({ id: 4, isRequired: true });
    await gateway.call(updateProfileField, {
      field_id: 4,
      name: 'b',
      hint: '',
      field_data: {},
      display_in_profile_summary: false,
      editable_by_user: false,
    });
    expect(asked('updateProfileField')).toEqual({
      id: 4,
      name: 'b',
      hint: '',
      fieldData: '{}',
      isInSummary: false,
      isEditableByUser: false,
    });
    await gateway.call(removeProfileField, { field_id: 4 });
    expect(asked('removeProfileField')).toEqual({ id: 4 });
    await gateway.call(reorderProfileFields, { order: [5, 4] });
    expect(asked('reorderProfileFields')).toEqual({ orderedIds: [5, 4] });
  });
});

describe('profile values', () => {
  test('are texts or lists of people', async () => {
    const data = [
      { id: 1, value: 'x' },
      { id: 2, value: [11, 12] },
      { id: 3, value: [] },
    ];
    expect((await gateway.call(setProfileValues, { data })).json).toEqual(SUCCESS);
    expect(asked('setProfileValues')).toEqual({
      values: [
        { fieldId: 1, text: 'x', userIds: null },
        { fieldId: 2, userIds: { ids: [11, 12] } },
        { fieldId: 3, userIds: { ids: [] } },
      ],
    });
    await gateway.call(removeProfileValues, { data: [1, 2] });
    expect(asked('removeProfileValues')).toEqual({ fieldIds: [1, 2] });
  });

  test.each(['{}', '[{"id": 1}]', '[{"id": "1", "value": "x"}]', '[{"id": 1, "value": 5}]'])(
    'refuses %s',
    async (data) => {
      expect(await send('PATCH', '/users/me/profile_data', { data })).toMatchObject({ status: 400 });
    },
  );

  test('are in the account of the caller', async () => {
    gateway.realm.answers.getUserProfiles = async (_call, { userIds }) => ({
      profiles: [{ userId: userIds[0] as number, values: [{ fieldId: 4, value: 'x', renderedValue: '<p>x</p>' }] }],
    });
    const { json } = await gateway.request({ path: '/api/v1/users/me' });
    expect(json.profile_data).toEqual({ 4: { value: 'x', rendered_value: '<p>x</p>' } });
  });
});

describe('custom emoji', () => {
  const upload = (path: string, ...files: Buffer[]) => {
    const boundary = 'xxx';
    const parts = files.flatMap((file, index) => [
      `--${boundary}\r\nContent-Disposition: form-data; name="f${index}"; filename="a.png"\r\n\r\n`,
      file,
      '\r\n',
    ]);
    const body = Buffer.concat([...parts, `--${boundary}--\r\n`].map((part) => Buffer.from(part)));
    const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
    return gateway.request({ method: 'POST', path: `/api/v1${path}`, headers, body });
  };

  test('are listed by id', async () => {
    gateway.realm.answers.listCustomEmoji = async () => ({ emoji: [EMOJI] });
    expect((await gateway.call(listCustomEmoji, {})).json).toEqual({ ...SUCCESS, emoji: PUBLIC_EMOJI });
  });

  test('are made of the files that come along, larger than other requests may be', async () => {
    const picture = Buffer.alloc(2 * 1024 * 1024, 7);
    expect((await upload('/realm/emoji/our%20logo', picture)).json).toEqual(SUCCESS);
    const { name, files } = gateway.realm.last<{ name: string; files: Buffer[] }>('addCustomEmoji');
    expect([name, files.length, files[0]?.equals(picture)]).toEqual(['our logo', 1, true]);
    await upload('/realm/emoji/logo', Buffer.from('a'), Buffer.from('b'));
    expect(gateway.realm.last<{ files: Buffer[] }>('addCustomEmoji').files.map(String)).toEqual(['a', 'b']);
    await send('POST', '/realm/emoji/logo', {});
    expect(gateway.realm.last<{ files: Buffer[] }>('addCustomEmoji').files).toEqual([]);
    expect(addCustomEmoji.maxUploadBytes).toBeGreaterThan(5 * 1024 * 1024);
  });

  test('that are too large are not read', async () => {
    expect(await upload('/realm/emoji/logo', Buffer.alloc(9 * 1024 * 1024))).toMatchObject({ status: 413 });
  });

  test('files are ignored where none are expected, within the size limit of all forms', async () => {
    expect((await upload('/users/me/profile_data', Buffer.from('a'))).status).toBe(405);
    expect(await upload('/realm/filters', Buffer.alloc(2 * 1024 * 1024))).toMatchObject({ status: 413 });
    expect((await upload('/realm/filters', Buffer.from('a'))).json).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING' });
  });

  test('that are not images are refused', async () => {
    gateway.realm.answers.addCustomEmoji = async () => {
      throw new BadImageError('Invalid image format');
    };
    expect(await upload('/realm/emoji/logo', Buffer.from('a'))).toMatchObject({
      status: 400,
      json: { code: 'BAD_IMAGE', msg: 'Invalid image format' },
    });
  });

  test('are deactivated; missing ones are not found', async () => {
    await gateway.call(deactivateCustomEmoji, { emoji_name: 'logo' });
    expect(asked('deactivateCustomEmoji')).toEqual({ name: 'logo' });
    gateway.realm.answers.deactivateCustomEmoji = async () => {
      throw new BadRequestError("Emoji 'logo' does not exist", {}, 404);
    };
    const answer = await gateway.call(deactivateCustomEmoji, { emoji_name: 'logo' });
    expect(answer).toMatchObject({ status: 404, json: { code: 'BAD_REQUEST' } });
  });

  test('show their image without credentials, cacheable for ever', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]);
    gateway.realm.answers.getCustomEmojiImage = async (_call, { fileName }) =>
      fileName === 'abc.png' ? { contentType: 'image/png', bytes } : { contentType: '', bytes: Buffer.alloc(0) };
    const image = await fetch(`http://${gateway.address}/user_avatars/2/emoji/images/abc.png`);
    expect(Buffer.from(await image.arrayBuffer())).toEqual(bytes);
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '5',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
    });
    expect(asked('getCustomEmojiImage')).toEqual({ realmId: 2, fileName: 'abc.png' });
    for (const path of ['/2/emoji/images/x.png', '/2/emoji/images/x.svg', '/x/emoji/images/abc.png']) {
      expect((await gateway.request({ path: `/user_avatars${path}`, as: false })).status).toBe(404);
    }
  });
});

describe('POST /register', () => {
  const lists = eg.lists({
    linkifiers: [LINKIFIER],
    playgrounds: [{ id: 9, name: 'Rust', pygmentsLanguage: 'Rust', urlTemplate: 'https://x.example/{code}' }],
    channelFolders: [FOLDER],
    domains: [{ id: 1, domain: 'acme.example', allowsSubdomains: false }],
    profileFields: [FIELD],
    profiles: [{ userId: 11, values: [{ fieldId: 4, value: 'x' }] }],
    customEmoji: [EMOJI],
  });
  const register = async (form: Record<string, string>) => {
    gateway.realm.answers.getRegisterState = async () => eg.registerState({ lists });
    return (await send('POST', '/register', form)).json;
  };

  test.each([
    [
      'realm_playgrounds',
      [{ id: 9, name: 'Rust', pygments_language: 'Rust', url_template: 'https://x.example/{code}' }],
    ],
    ['channel_folders', [PUBLIC_FOLDER]],
    ['realm_domains', [{ domain: 'acme.example', allow_subdomains: false }]],
    ['custom_profile_fields', [PUBLIC_FIELD]],
    ['realm_emoji', PUBLIC_EMOJI],
    ['realm_filters', []],
  ])('has %s', async (type, expected) => {
    expect((await register({ fetch_event_types: JSON.stringify([type]) }))[type]).toEqual(expected);
  });

  test('has linkifiers for clients that understand their templates', async () => {
    const form = { fetch_event_types: '["realm_linkifiers"]' };
    expect((await register(form)).realm_linkifiers).toEqual([]);
    const client_capabilities = '{"linkifier_url_template": true}';
    expect((await register({ ...form, client_capabilities })).realm_linkifiers).toEqual([PUBLIC_LINKIFIER]);
  });

  test('has profile fields and their types', async () => {
    const json = await register({ fetch_event_types: '["realm_user", "custom_profile_fields", "realm"]' });
    expect(json.realm_users[0].profile_data).toEqual({ 4: { value: 'x' } });
    expect(json.custom_profile_field_types.PRONOUNS).toEqual({ id: 8, name: 'Pronouns' });
    expect(json.realm_default_external_accounts.github.url_pattern).toBe('https://github.com/%(username)s');
    expect(json).toMatchObject({ max_channel_folder_name_length: 60, max_channel_folder_description_length: 1024 });
  });
});

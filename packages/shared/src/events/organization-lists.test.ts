import {
  allowedDomainRemoved,
  type ClientView,
  channelFolderChanged,
  customEmojiChanged,
  type EventDeclaration,
  linkifiersChanged,
  profileFieldsChanged,
  profileValueChanged,
} from './index';

const VIEW: ClientView = {
  applyMarkdown: true,
  clientGravatar: true,
  isEmptyTopicUnderstood: true,
  capabilities: ['linkifier_url_template'],
};

/** The event as the client gets it: JSON has no undefined members. */
function sent<Payload>(declaration: EventDeclaration<string, Payload>, payload: Payload, view = VIEW) {
  return declaration.publicShapes.map((shape) => JSON.parse(JSON.stringify(shape.render(payload, view))));
}

test('linkifiers are empty for clients that do not understand their templates', () => {
  const payload = { linkifiers: [{ id: 3, pattern: '#(?P<id>\\d+)', urlTemplate: 'https://example.com/{id}' }] };
  expect(sent(linkifiersChanged, payload)).toEqual([
    {
      type: 'realm_linkifiers',
      realm_linkifiers: [
        {
          id: 3,
          pattern: '#(?P<id>\\d+)',
          url_template: 'https://example.com/{id}',
          example_input: null,
          reverse_template: null,
          alternative_url_templates: [],
        },
      ],
    },
  ]);
  const old = { ...VIEW, capabilities: [] };
  expect(sent(linkifiersChanged, payload, old)).toEqual([{ type: 'realm_linkifiers', realm_linkifiers: [] }]);
  const [shape] = linkifiersChanged.publicShapes;
  expect(shape?.variant(VIEW)).not.toBe(shape?.variant(old));
});

test('an update of a folder contains the changed fields only', () => {
  const change = { description: 'a', renderedDescription: '<p>a</p>' };
  expect(sent(channelFolderChanged, { folderId: 4, change })).toEqual([
    {
      type: 'channel_folder',
      op: 'update',
      channel_folder_id: 4,
      data: { description: 'a', rendered_description: '<p>a</p>' },
    },
  ]);
});

test('a removed domain is the only one in the event', () => {
  expect(sent(allowedDomainRemoved, { domain: 'example.com' })).toEqual([
    { type: 'realm_domains', op: 'remove', domain: 'example.com' },
  ]);
});

test('a removed profile value is null; only texts have a rendering', () => {
  const event = (custom_profile_field: object) => [
    { type: 'realm_user', op: 'update', person: { user_id: 5, custom_profile_field } },
  ];
  const audience = { to: 'realm' as const };
  expect(sent(profileValueChanged, { userId: 5, audience, fieldId: 1, value: null })).toEqual(
    event({ id: 1, value: null }),
  );
  const text = { userId: 5, audience, fieldId: 1, value: 'a', renderedValue: '<p>a</p>' };
  expect(sent(profileValueChanged, text)).toEqual(event({ id: 1, value: 'a', rendered_value: '<p>a</p>' }));
});

test('a field says that it is in the summary only when it is', () => {
  const field = {
    id: 1,
    type: 3,
    order: 2,
    name: 'Color',
    hint: '',
    fieldData: '{}',
    isInSummary: false,
    isRequired: true,
    isEditableByUser: false,
  };
  const shown = {
    id: 1,
    type: 3,
    order: 2,
    name: 'Color',
    hint: '',
    field_data: '{}',
    required: true,
    editable_by_user: false,
    use_for_user_matching: false,
  };
  expect(sent(profileFieldsChanged, { fields: [field, { ...field, isInSummary: true }] })).toEqual([
    { type: 'custom_profile_fields', fields: [shown, { ...shown, display_in_profile_summary: true }] },
  ]);
});

test('custom emoji are a map by id, ids being texts', () => {
  const emoji = { id: 7, realmId: 2, name: 'logo', fileName: 'a.png', isDeactivated: true };
  expect(sent(customEmojiChanged, { emoji: [emoji] })).toEqual([
    {
      type: 'realm_emoji',
      op: 'update',
      realm_emoji: {
        7: {
          id: '7',
          name: 'logo',
          source_url: '/user_avatars/2/emoji/images/a.png',
          still_url: null,
          deactivated: true,
          author_id: null,
        },
      },
    },
  ]);
});

import { newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { createChannelFolder, updateChannelFolder } from '../channel-folders/channel-folders';
import { addAllowedDomain } from '../organization-lists/allowed-domains';
import { addLinkifier } from '../organization-lists/linkifiers';
import { addPlayground } from '../organization-lists/playgrounds';
import { createProfileField } from '../profiles/profile-fields';
import { setProfileValues } from '../profiles/profile-values';
import { getRegisterState } from './get-register-state';

let ctx: TestContext;
let olivia: Person;

beforeAll(async () => {
  ctx = await openContext();
  olivia = await newOrganization(ctx);
});
afterAll(() => ctx.close());

const stateOf = async (person: Person) => {
  const before = ctx.db.statementCount;
  const { lists } = await getRegisterState(ctx, person);
  return { lists, statements: ctx.db.statementCount - before };
};

test('the register state has every list of the organization, for as many statements as empty ones', async () => {
  const guest = await newUser(ctx, olivia, { role: 600 });
  const empty = await stateOf(guest);
  expect(empty.lists).toEqual({
    linkifiers: [],
    playgrounds: [],
    channelFolders: [],
    domains: [],
    profileFields: [],
    profiles: [],
    customEmoji: [],
  });

  await addLinkifier(ctx, olivia, { pattern: '#(?P<id>\\d+)', urlTemplate: 'https://example.com/{id}' });
  await addLinkifier(ctx, olivia, { pattern: 'DOC', urlTemplate: 'https://example.com/doc' });
  const rust = { name: 'Rust', pygmentsLanguage: 'Rust', urlTemplate: 'https://play.example.com/{code}' };
  await addPlayground(ctx, olivia, rust);
  const { id: folderId } = await createChannelFolder(ctx, olivia, { name: 'Old', description: '' });
  await updateChannelFolder(ctx, olivia, { id: folderId, isArchived: true });
  await addAllowedDomain(ctx, olivia, { domain: 'example.com', allowsSubdomains: true });
  const flags = { isInSummary: false, isRequired: false, isEditableByUser: true };
  const phone = { type: 1, name: 'Phone', hint: '', fieldData: '', ...flags };
  const { id: fieldId } = await createProfileField(ctx, olivia, phone);
  await setProfileValues(ctx, olivia, { values: [{ fieldId, text: '1', userIds: null }] });
  await newOrganization(ctx);

  const { lists, statements } = await stateOf(guest);
  expect(statements).toBe(empty.statements);
  expect(lists).toMatchObject({
    linkifiers: [{ pattern: '#(?P<id>\\d+)' }, { pattern: 'DOC' }],
    playgrounds: [rust],
    channelFolders: [{ id: folderId, name: 'Old', isArchived: true }],
    domains: [{ domain: 'example.com', allowsSubdomains: true }],
    profileFields: [{ id: fieldId, name: 'Phone' }],
    profiles: [{ userId: olivia.userId, values: [{ fieldId, value: '1', renderedValue: '<p>1</p>' }] }],
    customEmoji: [],
  });
});

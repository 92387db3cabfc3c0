import { newCall } from '@parley/shared/rpc';
import sharp from 'sharp';
import { serveRealm } from './serve-realm';

const { connection } = serveRealm();

test('lists of an organization survive the network unchanged: absent fields stay absent, bytes stay bytes', async () => {
  const { client } = connection();
  const { realmId, userId } = await client.createRealm(newCall(), {
    name: 'Example',
    subdomain: 'example',
    ownerEmail: 'olivia@example.com',
    ownerName: 'Olivia',
  });
  const caller = { ...newCall(), realmId, userId };

  const { id: folderId } = await client.createChannelFolder(caller, { name: 'Teams', description: 'about' });
  await client.updateChannelFolder(caller, { id: folderId, isArchived: true });
  const { folders } = await client.listChannelFolders(caller, { includesArchived: true });
  expect(folders).toMatchObject([{ name: 'Teams', description: 'about', isArchived: true }]);

  const flags = { isInSummary: true, isRequired: true, isEditableByUser: false };
  const phone = { type: 1, name: 'Phone', hint: 'Mobile', fieldData: '', ...flags };
  const { id: fieldId } = await client.createProfileField(caller, phone);
  await client.updateProfileField(caller, { id: fieldId, hint: '' });
  const { fields } = await client.listProfileFields(caller, {});
  expect(fields).toEqual([{ ...phone, id: fieldId, order: fieldId, hint: '' }]);
  await client.setProfileValues(caller, { values: [{ fieldId, text: '1', userIds: null }] });
  const { id: mentorId } = await client.createProfileField(caller, {
    ...phone,
    type: 6,
    name: 'M',
    isInSummary: false,
  });
  await client.setProfileValues(caller, { values: [{ fieldId: mentorId, userIds: { ids: [userId] } }] });
  const { profiles } = await client.getUserProfiles(caller, { userIds: [] });
  expect(profiles[0]?.values).toEqual([
    { fieldId, value: '1', renderedValue: '<p>1</p>' },
    { fieldId: mentorId, value: `[${userId}]` },
  ]);

  const upload = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  await client.addCustomEmoji(caller, { name: 'our logo', files: [upload] });
  const [emoji] = (await client.listCustomEmoji(caller, {})).emoji;
  expect(emoji).not.toHaveProperty('stillFileName');
  const image = await client.getCustomEmojiImage(newCall(), { realmId, fileName: emoji?.fileName as string });
  expect(await sharp(image.bytes).metadata()).toMatchObject({ format: 'png', width: 64 });

  await expect(client.addLinkifier(caller, { pattern: '(', urlTemplate: '{' })).rejects.toMatchObject({
    name: 'BadRequestError',
    fields: { errors: { url_template: ['Invalid URL template.'], __all__: [expect.any(String)] } },
  });
});

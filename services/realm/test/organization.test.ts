import { newCall } from '@parley/shared/rpc';
import { realmSettingsOf } from '@parley/shared/values';
import sharp from 'sharp';
import { serveRealm } from './serve-realm';

const { connection } = serveRealm();

test('an organization survives the wire: its settings, its permissions and its pictures', async () => {
  const { client } = connection();
  const { realmId, userId } = await client.createRealm(newCall(), {
    name: 'Example',
    subdomain: 'example',
    ownerEmail: 'olivia@example.com',
    ownerName: 'Olivia',
    orgType: 10,
  });
  const caller = { ...newCall(), realmId, userId };

  const settings = JSON.stringify({ message_content_edit_limit_seconds: 'unlimited', jitsi_server_url: 'default' });
  const onlyMe = { directMemberIds: [userId], directSubgroupIds: [] };
  const groupSettings = { can_create_bots_group: { new: onlyMe, old: null } };
  const updated = await client.updateRealm(caller, { description: '', settings, groupSettings });
  expect(updated).toEqual({
    settings: '{"message_content_edit_limit_seconds":null}',
    groupSettings: { can_create_bots_group: onlyMe },
  });

  const upload = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const { images } = await client.setOrganizationImage(caller, { kind: 'icon', files: [upload] });
  const image = await client.getOrganizationImage(newCall(), { realmId, kind: 'icon' });
  expect(await sharp(image.bytes).metadata()).toMatchObject({ format: 'png', width: 100 });

  const realm = await client.getRealm(newCall(), { subdomain: 'example' });
  expect(realm.images).toEqual(images);
  expect(realmSettingsOf(realm)).toMatchObject({ message_content_edit_limit_seconds: null, org_type: 10 });

  const state = await client.getRegisterState(caller, { includesSubscribers: false });
  expect(state.realm).toEqual(realm);
  expect(state.realmUuid).toMatch(/^[0-9a-f-]{36}$/);
  expect(state.realmGroupSettings.can_create_bots_group).toEqual(onlyMe);
  expect(state.ownRights).toEqual({
    mayCreatePublicChannels: true,
    mayCreatePrivateChannels: true,
    mayCreateWebPublicChannels: false,
    maySubscribeOthers: true,
    mayInviteOthers: true,
  });

  await client.removeOrganizationImage(caller, { kind: 'icon' });
  await client.deactivateRealm(caller, { deletionDelayDays: 30 });
  expect(await client.getRealm(newCall(), { subdomain: 'example' })).toMatchObject({ isDeactivated: true, images: [] });
});

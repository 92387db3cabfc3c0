import { observed, pagesReadIn } from '@parley/shared/testing';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { channelIds, join, newUser, type Person } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { createChannelFolder, listChannelFolders } from '../channel-folders/channel-folders';
import { updateChannel } from '../channels/update-channel';
import { fillRealm } from '../fill/fill-realm';
import { getRealm } from '../organization/change-organization';
import { addLinkifier } from '../organization-lists/linkifiers';
import { createProfileField } from '../profiles/profile-fields';
import { getUserProfiles, setProfileValues } from '../profiles/profile-values';
import { updateRealm } from '../realms/update-realm';
import {
  listStaleTexts,
  RENDERED_COLUMNS,
  type RenderedColumn,
  type StaleText,
  storeRenderings,
} from '../rendered-texts/stale-texts.sql';
import { renderStaleTexts } from './render-texts';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia, { fullName: 'Iago' });

async function describeChannel(description: string): Promise<unknown> {
  const { general = 0 } = await channelIds(ctx, olivia);
  const nothing = { groupSettings: {}, hasNamedTopics: false };
  await updateChannel(ctx, olivia, { channelId: general, description, ...nothing });
  const events = await publicEvents(ctx, olivia, 'stream');
  return events.map(({ event }) => event).findLast(({ property }) => property === 'description')?.[
    'rendered_description'
  ];
}

async function describeFolder(description: string): Promise<string | undefined> {
  const { id } = await createChannelFolder(ctx, olivia, { name: 'Folder', description });
  const { folders } = await listChannelFolders(ctx, olivia, { includesArchived: true });
  return folders.find((folder) => folder.id === id)?.renderedDescription;
}

async function textField(type: number): Promise<number> {
  const flags = { isInSummary: false, isRequired: false, isEditableByUser: true };
  const { id } = await createProfileField(ctx, olivia, {
    type,
    name: `Text ${type}`,
    hint: '',
    fieldData: '',
    ...flags,
  });
  return id;
}

const setText = (fieldId: number, text: string) =>
  setProfileValues(ctx, iago, { values: [{ fieldId, text, userIds: null }] });

async function profileOfIago(): Promise<(string | undefined)[]> {
  const { profiles } = await getUserProfiles(ctx, olivia, { userIds: [iago.userId] });
  return profiles.flatMap(({ values }) => values.map(({ renderedValue }) => renderedValue));
}

describe('a channel description is a line of Markdown', () => {
  test.each([
    [
      'Say **hello** at example.com',
      '<p>Say <strong>hello</strong> at <a href="http://example.com">example.com</a></p>',
    ],
    [
      '<b>&</b> :cake:',
      '<p>&lt;b&gt;&amp;&lt;/b&gt; <span aria-label="cake" class="emoji emoji-1f370" role="img" title="cake">:cake:</span></p>',
    ],
    ['# first\n* second', '<p># first * second</p>'],
    ['https://example.com/a.png', '<p><a href="https://example.com/a.png">https://example.com/a.png</a></p>'],
    ['', ''],
  ])('%j', async (description, html) => {
    await describeChannel('something else');
    expect(await describeChannel(description)).toBe(html);
  });

  test('that names people, groups, channels and issues', async () => {
    const { sandbox } = await channelIds(ctx, olivia);
    const [{ id: owners } = {}] = await ctx.db.query<{ id: number }>(
      `select id from user_group where realm_id = $1 and name = 'role:owners'`,
      [olivia.realmId],
    );
    await addLinkifier(ctx, olivia, { pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://example.com/{id}' });
    expect(await describeChannel('@**iago** of @*role:owners* in #**sandbox**: #7')).toBe(
      `<p><span class="user-mention" data-user-id="${iago.userId}">@Iago</span> of ` +
        `<span class="user-group-mention silent" data-user-group-id="${owners}">Owners</span> in ` +
        `<a class="stream" data-stream-id="${sandbox}" href="/#narrow/channel/${sandbox}-sandbox">#sandbox</a>: ` +
        '<a href="https://example.com/7">#7</a></p>',
    );
  });

  test('that names a private channel links to it only where its author may know of it', async () => {
    const moderator = await newUser(ctx, olivia, { role: 300 });
    const { id } = await createProfileField(ctx, olivia, {
      ...{ type: 1, name: 'About', hint: '', fieldData: '' },
      ...{ isInSummary: false, isRequired: false, isEditableByUser: true },
    });
    await join(ctx, iago, ['closed'], { newChannel: { isPrivate: true } });
    for (const person of [moderator, iago]) {
      await setProfileValues(ctx, person, { values: [{ fieldId: id, text: 'See #**closed**', userIds: null }] });
    }
    const { profiles } = await getUserProfiles(ctx, olivia, { userIds: [iago.userId, moderator.userId] });
    const htmlOf = (person: Person) =>
      profiles.find(({ userId }) => userId === person.userId)?.values[0]?.renderedValue;
    expect(htmlOf(moderator)).toBe('<p>See #<strong>closed</strong></p>');
    expect(htmlOf(iago)).toContain('<a class="stream"');
  });
});

test('descriptions of folders and of the organization, and profiles, are Markdown as in messages', async () => {
  const source = '* one\n* **two**';
  const html = '<ul>\n<li>one</li>\n<li><strong>two</strong></li>\n</ul>';
  expect(await describeFolder(source)).toBe(html);
  await updateRealm(ctx, olivia, { description: source, settings: '{}', groupSettings: {} });
  expect(await getRealm(ctx, olivia)).toMatchObject({ description: source, renderedDescription: html });
  await setText(await textField(1), '*me*');
  await setText(await textField(2), source);
  expect(await profileOfIago()).toEqual(['<p><em>me</em></p>', html]);
});

test('a guest’s profile mentions only users visible to the guest', async () => {
  await ctx.db.query(
    `insert into realm_group_setting (realm_id, name, group_id)
     select $1, 'can_access_all_users_group', id from user_group where realm_id = $1 and name = 'role:members'`,
    [olivia.realmId],
  );
  const guest = await newUser(ctx, olivia, { role: 600 });
  const stranger = await newUser(ctx, olivia, { fullName: 'Stranger' });
  await ctx.db.query('delete from subscription where user_id = $1', [stranger.userId]);
  const fieldId = await textField(1);
  await setProfileValues(ctx, guest, { values: [{ fieldId, text: '@**Stranger**', userIds: null }] });
  const { profiles } = await getUserProfiles(ctx, olivia, { userIds: [guest.userId] });
  expect(profiles[0]?.values[0]?.renderedValue).toBe('<p>@<strong>Stranger</strong></p>');
});

test('texts of another release are rendered again, once', async () => {
  const fieldId = await textField(1);
  await setText(fieldId, 'old');
  await setText(await textField(2), 'same');
  const { realmId } = olivia;
  const before = 'set description = $2, rendered_description = $3 where realm_id = $1';
  const values = [realmId, '**a**', '<p>**a**</p>'];
  await createChannelFolder(ctx, olivia, { name: 'Folder', description: 'x' });
  for (const table of ['channel', 'channel_folder']) await ctx.db.query(`update ${table} ${before}`, values);
  await ctx.db.query('update realm set description = $2, rendered_description = $3 where id = $1', values);
  await ctx.db.query(`update profile_value set value = '**a**' where realm_id = $1 and field_id = $2`, [
    realmId,
    fieldId,
  ]);
  // The stored rendering is of another text, so the value is plain.
  expect((await profileOfIago())[0]).toBe('<p>**a**</p>');

  await renderStaleTexts(ctx);

  const rows = await ctx.db.query<{ html: string }>(
    `select distinct rendered_description as html from channel where realm_id = $1
     union select rendered_description from channel_folder where realm_id = $1
     union select rendered_description from realm where id = $1
     union select rendered_value from profile_value where realm_id = $1 and field_id = $2`,
    [realmId, fieldId],
  );
  expect(rows).toEqual([{ html: '<p><strong>a</strong></p>' }]);
  expect(await profileOfIago()).toEqual(['<p><strong>a</strong></p>', '<p>same</p>']);
  const statements = ctx.db.statementCount;
  await renderStaleTexts(ctx);
  expect(ctx.db.statementCount - statements).toBe(4);
});

test('each of many texts of another release is read once', async () => {
  await fillRealm(ctx, { subdomain: olivia.subdomain, users: 500, channels: 1, seed: 1 });
  await ctx.db.query(
    `insert into profile_field (realm_id, type, name, hint, field_data, position, is_in_summary, is_required, is_editable_by_user)
     select $1, 1, 'Text ' || n, '', '', n, false, false, true from generate_series(1, 20) n`,
    [olivia.realmId],
  );
  await ctx.db.query(
    `insert into profile_value (realm_id, user_id, field_id, value) select u.realm_id, u.id, f.id, 'old'
     from user_account u join profile_field f on f.realm_id = u.realm_id where u.realm_id = $1
     on conflict do nothing`,
    [olivia.realmId],
  );
  await ctx.db.query('vacuum analyze profile_value, profile_field');
  const { sql, plans } = observed(ctx.db);
  const column = RENDERED_COLUMNS.find(({ table }) => table === 'profile_value') as RenderedColumn;
  let texts = await listStaleTexts(sql, column, null, 200);
  let found = texts.length;
  while (texts.length > 0) {
    await storeRenderings(
      ctx.db,
      column,
      texts.map((text) => ({ ...text, html: '' })),
    );
    texts = await listStaleTexts(sql, column, texts.at(-1) as StaleText, 200);
    found += texts.length;
  }
  expect(found).toBeGreaterThanOrEqual(10_000);
  // That of the field, for each.
  expect(pagesReadIn(plans)).toBeLessThan(found * 2);
});

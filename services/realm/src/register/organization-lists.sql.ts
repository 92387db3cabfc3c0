import type { Sql } from '@parley/shared/db';
import type { OrganizationLists } from '@parley/shared/proto';
import { channelFoldersOf } from '../channel-folders/channel-folders.sql';
import { customEmojiOf } from '../custom-emoji/custom-emoji.sql';
import { allowedDomainsOf } from '../domains/allowed-domains.sql';
import { linkifiersOf } from '../linkifiers/linkifiers.sql';
import { playgroundsOf } from '../playgrounds/playgrounds.sql';
import { profileFieldsOf } from '../profile-fields/profile-fields.sql';
import { type ProfileRow, profilesOf } from '../profile-values/profile-values.sql';

export type OrganizationListsRow = Omit<OrganizationLists, 'profiles'> & { profiles: ProfileRow[] };

/** Everything that the organization lists for all its members, in one statement; profiles only if asked for. */
export async function loadOrganizationLists(
  sql: Sql,
  realmId: number,
  { includesProfiles }: { includesProfiles: boolean },
): Promise<OrganizationListsRow> {
  const profiles = includesProfiles ? profilesOf('$1', 'null') : `'[]'::json`;
  const [row] = await sql.query<OrganizationListsRow>(
    `select ${linkifiersOf('$1')} as linkifiers, ${playgroundsOf('$1')} as playgrounds,
       ${channelFoldersOf('$1')} as "channelFolders", ${allowedDomainsOf('$1')} as domains,
       ${profileFieldsOf('$1')} as "profileFields", ${profiles} as profiles,
       ${customEmojiOf('$1')} as "customEmoji"`,
    [realmId],
  );
  return row as OrganizationListsRow;
}

import type { SettingsTexts } from '@parley/shared/texts/settings';
import type { ComponentType } from 'preact';
import type { SettingsArea } from '../../narrow/narrow';
import { AllBots, OwnBots } from './bots';
import { Groups } from './groups';
import { ChannelsAndFolders } from './organization/channels';
import { Defaults } from './organization/defaults';
import { CustomEmojiList } from './organization/emoji';
import { Exports } from './organization/exports';
import { Invitations } from './organization/invitations';
import { Links } from './organization/links';
import { People } from './organization/people';
import { OrganizationProfile } from './organization/profile';
import { ProfileFieldList } from './organization/profile-fields';
import { Joining, MessageRules } from './organization/rules';
import { SignIn } from './organization/sign-in';
import { AlertWords, Muted } from './personal/attention';
import { UploadedFiles } from './personal/files';
import { Keys } from './personal/keys';
import { Look, Privacy } from './personal/look';
import { Notifications } from './personal/notifications';
import { Profile } from './personal/profile';
import { Permissions } from './setting-parts';

export interface Section {
  area: SettingsArea;
  /** In the address, after the area. */
  id: string;
  /** In addresses that other clients know, too, such as those of the notification bot's messages. */
  elsewhere?: string;
  title: keyof SettingsTexts['sections'];
  Content: ComponentType<{ path: readonly string[] }>;
  /** Others may not even read it; absent: everybody may. */
  readers?: 'administrators' | 'members';
}

/** All sections, in the order of the list. */
export const SECTIONS: readonly Section[] = [
  { area: 'settings', id: 'profile', title: 'profile', Content: Profile },
  { area: 'settings', id: 'look', title: 'look', Content: () => Look({}) },
  { area: 'settings', id: 'notifications', title: 'notifications', Content: () => Notifications({}) },
  { area: 'settings', id: 'privacy', title: 'privacy', Content: () => Privacy({}) },
  { area: 'settings', id: 'keys', title: 'keys', Content: Keys },
  { area: 'settings', id: 'alert-words', title: 'words', Content: AlertWords },
  { area: 'settings', id: 'muted', title: 'muted', Content: Muted },
  { area: 'settings', id: 'files', title: 'files', Content: UploadedFiles },
  { area: 'settings', id: 'bots', title: 'bots', Content: OwnBots },
  { area: 'groups', id: '', title: 'groups', Content: Groups },
  { area: 'organization', id: 'profile', title: 'general', Content: OrganizationProfile },
  { area: 'organization', id: 'joining', title: 'joining', Content: Joining },
  { area: 'organization', id: 'sign-in', title: 'signIn', Content: SignIn, readers: 'administrators' },
  { area: 'organization', id: 'messages', title: 'messages', Content: MessageRules },
  { area: 'organization', id: 'permissions', title: 'permissions', Content: Permissions },
  { area: 'organization', id: 'people', title: 'people', Content: People },
  { area: 'organization', id: 'invitations', title: 'invitations', Content: Invitations, readers: 'members' },
  { area: 'organization', id: 'channels', title: 'channels', Content: ChannelsAndFolders },
  { area: 'organization', id: 'emoji', title: 'emoji', Content: CustomEmojiList },
  { area: 'organization', id: 'links', title: 'links', Content: Links },
  { area: 'organization', id: 'fields', title: 'fields', Content: ProfileFieldList },
  { area: 'organization', id: 'defaults', title: 'defaults', Content: Defaults },
  { area: 'organization', id: 'bots', title: 'allBots', Content: AllBots, readers: 'administrators' },
  {
    ...{ area: 'organization', id: 'exports', elsewhere: 'data-exports-admin' },
    ...{ title: 'exports', Content: Exports, readers: 'administrators' },
  },
];

/** Whether somebody may read it. */
export function mayRead({ readers }: Section, { is_admin: isAdmin, is_guest: isGuest }: Rights): boolean {
  return readers === undefined || (readers === 'members' ? !isGuest : isAdmin);
}

interface Rights {
  is_admin: boolean;
  is_guest: boolean;
}

/** The section of an address; the first of its area, if it names none. */
export function sectionAt(area: SettingsArea, path: readonly string[]): Section {
  const ofArea = SECTIONS.filter((section) => section.area === area);
  return ofArea.find(({ id, elsewhere }) => [id, elsewhere].includes(path[0])) ?? (ofArea[0] as Section);
}

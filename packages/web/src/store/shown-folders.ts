import { type Folder, read } from './model';

/** The folders by which the left side shows channels; none, if the person wants one list. */
export function shownFolders(): readonly Folder[] {
  const { channel_folders: folders = [], user_settings: settings } = read('channels', 'settings');
  return settings['web_left_sidebar_show_channel_folders'] === false ? [] : folders;
}

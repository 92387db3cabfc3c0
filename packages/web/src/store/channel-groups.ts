import type { Folder, Subscription } from './model';

/** One part of the list of channels. */
export interface ChannelGroup {
  key: string;
  /** Null: those without a folder. */
  folder: Folder | null;
  isPinned: boolean;
  channels: Subscription[];
  /** Channels without recent messages, and muted ones: shown on request. */
  hidden: Subscription[];
}

/** Values of the setting `demote_inactive_streams`. */
const DEMOTE = { automatic: 1, always: 2, never: 3 };
/** With more channels than that, those in which nothing happens are hidden. */
const MANY = 30;

/** Pinned channels, each folder in the folders' order, then the others: muted ones last, each by name. */
export function channelGroups(
  subscriptions: readonly Subscription[],
  folders: readonly Folder[],
  demoteInactive: number,
): ChannelGroup[] {
  const shown = subscriptions.filter(({ is_archived }) => !is_archived);
  const hides = demoteInactive === DEMOTE.always || (demoteInactive !== DEMOTE.never && shown.length > MANY);
  const isHidden = (each: Subscription) => hides && !each.is_recently_active && !each.pin_to_top;
  const byKey = new Map<string, Subscription[]>();
  const folderIds = new Set(folders.map(({ id }) => id));
  for (const each of [...shown].sort(inOrder)) {
    const key = keyOf(each, folderIds);
    const group = byKey.get(key);
    if (group) group.push(each);
    else byKey.set(key, [each]);
  }
  const ordered = [...folders].sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
  const groups = [
    { key: 'pinned', folder: null, isPinned: true },
    ...ordered.map((folder) => ({ key: `folder-${folder.id}`, folder, isPinned: false })),
    { key: 'others', folder: null, isPinned: false },
  ];
  return groups.flatMap((group) => {
    const members = byKey.get(group.key) ?? [];
    const channels = members.filter((each) => !isHidden(each));
    return members.length === 0 ? [] : [{ ...group, channels, hidden: members.filter(isHidden) }];
  });
}

function keyOf({ pin_to_top, folder_id }: Subscription, folderIds: ReadonlySet<number>): string {
  if (pin_to_top) return 'pinned';
  return folder_id !== null && folderIds.has(folder_id) ? `folder-${folder_id}` : 'others';
}

const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function inOrder(a: Subscription, b: Subscription): number {
  return Number(a.is_muted) - Number(b.is_muted) || compare(a.name, b.name);
}

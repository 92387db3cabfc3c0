import { channelGroups } from './channel-groups';
import type { Subscription } from './model';

const channel = (name: string, changes: Partial<Subscription> = {}) =>
  ({
    ...{ name, is_archived: false, is_muted: false, pin_to_top: false, folder_id: null, is_recently_active: true },
    ...changes,
  }) as Subscription;
const folders = [
  { id: 1, name: 'Projects', order: 1 },
  { id: 2, name: 'Places', order: 0 },
];
const [AUTOMATIC, ALWAYS, NEVER] = [1, 2, 3];
const describeGroups = (subscriptions: readonly Subscription[], demote: number = AUTOMATIC) =>
  channelGroups(subscriptions, folders, demote).map(({ key, channels, hidden }) => [
    key,
    channels.map(({ name }) => name).join(),
    hidden.map(({ name }) => name).join(),
  ]);

test('pinned first, folders in their order, then the others; muted ones last; archived ones not at all', () => {
  const subscriptions = [
    channel('b'),
    channel('a', { is_muted: true }),
    channel('c 10'),
    channel('c 9'),
    channel('gone', { is_archived: true }),
    channel('red', { folder_id: 1 }),
    channel('berlin', { folder_id: 2 }),
    channel('lost folder', { folder_id: 7 }),
    channel('top', { pin_to_top: true, folder_id: 1 }),
  ];
  expect(describeGroups(subscriptions)).toEqual([
    ['pinned', 'top', ''],
    ['folder-2', 'berlin', ''],
    ['folder-1', 'red', ''],
    ['others', 'b,c 9,c 10,lost folder,a', ''],
  ]);
});

test.each([
  [AUTOMATIC, 2, ''],
  [ALWAYS, 2, 'quiet'],
  [NEVER, 40, ''],
  [AUTOMATIC, 40, 'quiet'],
])('with setting %i and %i channels, hidden is "%s"', (demote, count, hidden) => {
  const others = Array.from({ length: count - 1 }, (_, at) => channel(`channel ${at}`));
  const groups = describeGroups([...others, channel('quiet', { is_recently_active: false })], demote);
  expect(groups.map((group) => group[2])).toEqual([hidden]);
});

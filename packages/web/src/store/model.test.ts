import '../../test/empty-page';
import { effect } from '@preact/signals';
import { registered } from '../../test/registered';
import { type Area, read, takeNews } from './model';

const DESIGN = { id: 7, name: 'design', members: [12], direct_subgroup_ids: [] };

test('a change of a group draws anew what depends on groups, not messages, channels and counts', () => {
  const state = registered();
  state['realm_user_groups'] = [...(state['realm_user_groups'] as object[]), { ...DESIGN }];
  takeNews({ kind: 'state', state });
  const drawn = new Map<Area, number>();
  const areas: readonly Area[] = ['people', 'settings', 'messages', 'channels', 'unread', 'presence', 'writing'];
  const stops = areas.map((area) =>
    effect(() => {
      read(area);
      drawn.set(area, (drawn.get(area) ?? 0) + 1);
    }),
  );
  const event = { id: 1, type: 'user_group', op: 'add_members', group_id: DESIGN.id, user_ids: [11] };
  takeNews({ kind: 'events', events: [event] });
  for (const stop of stops) stop();
  const again = areas.filter((area) => drawn.get(area) === 2);
  expect(again).toEqual(['people', 'settings']);
});

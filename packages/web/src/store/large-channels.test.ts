import '../../test/empty-page';
import { registered } from '../../test/registered';
import { type Channel, channel, takeNews } from './model';

/** A channel with so many subscribers that the server lists some of them. */
const LARGE = { stream_id: 5, name: 'everybody', subscriber_count: 300, partial_subscribers: [12] };

function afterPeers(op: 'peer_add' | 'peer_remove', userIds: readonly number[]): Channel | undefined {
  const [streams, subscriptions] = [[{ ...LARGE }], [structuredClone(LARGE)]];
  takeNews({ kind: 'state', state: { ...registered(), streams, subscriptions } });
  takeNews({
    kind: 'events',
    events: [{ id: 1, type: 'subscription', op, stream_ids: [LARGE.stream_id], user_ids: userIds }],
  });
  return channel(LARGE.stream_id);
}

test('others who join a large channel are counted and known', () => {
  expect(afterPeers('peer_add', [13, 14])).toMatchObject({ subscriber_count: 302, partial_subscribers: [12, 13, 14] });
});

test('others who leave a large channel are not counted any more, also those who were not listed', () => {
  expect(afterPeers('peer_remove', [12, 99])).toMatchObject({ subscriber_count: 298, partial_subscribers: [] });
});

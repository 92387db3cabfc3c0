import { hashOf, placeAt } from './address';
import type { Place } from './narrow';

const channelName = (id: number) => ({ 5: 'general', 6: 'two words (new)' })[id] ?? '…';
const search = (...terms: readonly (readonly [string, string | number | number[], boolean?])[]): Place => ({
  narrow: {
    kind: 'search',
    terms: terms.map(([operator, operand, negated]) => ({ operator, operand, ...(negated && { negated }) })),
  },
});

const ADDRESSES: readonly [string, Place][] = [
  ['#inbox', { narrow: { kind: 'inbox' } }],
  ['#recent', { narrow: { kind: 'recent' } }],
  ['#feed', { narrow: { kind: 'feed' } }],
  ['#drafts', { narrow: { kind: 'drafts' } }],
  ['#channels/5/general', { narrow: { kind: 'channels', path: ['5', 'general'] } }],
  ['#settings/profile', { narrow: { kind: 'settings', area: 'settings', path: ['profile'] } }],
  ['#organization', { narrow: { kind: 'settings', area: 'organization', path: [] } }],
  ['#groups/12', { narrow: { kind: 'settings', area: 'groups', path: ['12'] } }],
  ['#narrow/near/123', { narrow: { kind: 'feed' }, nearId: 123 }],
  ['#narrow/is/mentioned', { narrow: { kind: 'mentions' } }],
  ['#narrow/is/starred/near/4', { narrow: { kind: 'starred' }, nearId: 4 }],
  ['#narrow/channel/5-general', { narrow: { kind: 'channel', channelId: 5 } }],
  ['#narrow/channel/6-two-words-.28new.29', { narrow: { kind: 'channel', channelId: 6 } }],
  ['#narrow/channel/5-general/topic/lunch', { narrow: { kind: 'topic', channelId: 5, topic: 'lunch' } }],
  ['#narrow/channel/5-general/topic/', { narrow: { kind: 'topic', channelId: 5, topic: '' } }],
  [
    '#narrow/channel/5-general/topic/100.25.20a.2Fb.2E',
    { narrow: { kind: 'topic', channelId: 5, topic: '100% a/b.' } },
  ],
  [
    '#narrow/channel/5-general/topic/lunch/near/123',
    { narrow: { kind: 'topic', channelId: 5, topic: 'lunch' }, nearId: 123 },
  ],
  [
    '#narrow/channel/5-general/topic/lunch/with/123',
    { narrow: { kind: 'topic', channelId: 5, topic: 'lunch' }, withId: 123 },
  ],
  ['#narrow/dm/9', { narrow: { kind: 'direct', userIds: [9] } }],
  ['#narrow/dm/9,10/near/7', { narrow: { kind: 'direct', userIds: [9, 10] }, nearId: 7 }],
  ['#narrow/sender/9', search(['sender', 9])],
  ['#narrow/dm-including/9', search(['dm-including', 9])],
  ['#narrow/is/dm', search(['is', 'dm'])],
  ['#narrow/has/link/is/unread', search(['has', 'link'], ['is', 'unread'])],
  ['#narrow/channels/public/search/big.20apple', search(['channels', 'public'], ['search', 'big apple'])],
  ['#narrow/channel/5-general/search/lunch', search(['channel', 5], ['search', 'lunch'])],
  ['#narrow/-is/starred/-channel/5-general', search(['is', 'starred', true], ['channel', 5, true])],
  ['#narrow/id/12', search(['id', 12])],
];

test.each(ADDRESSES)('%s names a place, and the place has that address', (hash, place) => {
  expect(placeAt(hash)).toEqual(place);
  expect(hashOf(place, channelName)).toBe(hash);
});

test.each<[string, Place | null]>([
  ['', { narrow: { kind: 'inbox' } }],
  ['#all_messages', { narrow: { kind: 'feed' } }],
  ['#narrow/stream/5-general/subject/lunch', { narrow: { kind: 'topic', channelId: 5, topic: 'lunch' } }],
  ['#narrow/topic/lunch/stream/5-old.20name', { narrow: { kind: 'topic', channelId: 5, topic: 'lunch' } }],
  ['#narrow/channel/5', { narrow: { kind: 'channel', channelId: 5 } }],
  ['#narrow/channel/5-general/topic', { narrow: { kind: 'topic', channelId: 5, topic: '' } }],
  ['#narrow/pm-with/9,10-group', { narrow: { kind: 'direct', userIds: [9, 10] } }],
  ['#narrow/dm/9-Eve-Castillo', { narrow: { kind: 'direct', userIds: [9] } }],
  ['#narrow/sender/9-Eve', search(['sender', 9])],
  ['#narrow/streams/public', search(['channels', 'public'])],
  ['#narrow/is/private', search(['is', 'dm'])],
  // By name, and by address of mail: the store looks them up.
  ['#narrow/stream/general', search(['channel', 'general'])],
  ['#narrow/pm-with/eve.40example.2Ecom', search(['dm', 'eve@example.com'])],
  ['#narrow/is/mentioned/near/abc', { narrow: { kind: 'mentions' } }],
  ['#narrow/topic/100.', search(['topic', '100.'])],
  ['#narrow/nonsense/5', null],
  ['#elsewhere/5', null],
])('%s is understood', (hash, place) => {
  expect(placeAt(hash)).toEqual(place);
});

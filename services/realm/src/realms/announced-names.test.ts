import { announcedNames } from './update-realm';

test.each([
  ['giphy_rating', ['giphy_rating', 'gif_rating_policy']],
  [
    'service_update_announcements_stream_id',
    ['acme_update_announcements_stream_id', 'ours_update_announcements_stream_id'],
  ],
  ['signup_announcements_stream_id', ['signup_announcements_stream_id']],
])('clients get %s as %j', (property, names) => {
  expect(announcedNames(property, ['acme', 'ours'])).toEqual(names);
});

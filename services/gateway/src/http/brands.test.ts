import { branded } from './brands';

test('fields that carry a brand are sent once for each brand, others once', () => {
  const members = { service_version: '1', service_feature_level: 482, services: [], queue_id: 'q' };
  expect(branded<unknown>(members, ['acme', 'service'])).toEqual({
    acme_version: '1',
    service_version: '1',
    acme_feature_level: 482,
    service_feature_level: 482,
    services: [],
    queue_id: 'q',
  });
  expect(branded<unknown>(members, ['acme'])).not.toHaveProperty('service_version');
});

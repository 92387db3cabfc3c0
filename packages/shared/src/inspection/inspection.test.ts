import { maskedSettings } from './inspection';

test.each([
  ['DATABASE_URL', 'postgresql://u:p4ss@db.example:5432/parley?sslmode=x', 'postgresql://***@db.example:5432/***'],
  ['DATABASE_URL', 'postgresql://u:p/4@ss@db/x', 'postgresql://***'],
  ['NATS_URL', 'nats://nats:4222', 'nats://nats:4222'],
  ['SMTP_URL', 'smtps://user:p4ss@mail.example', 'smtps://***@mail.example'],
  ['BOT_KEY_SECRET', 's3cret', '***'],
  ['S3_ACCESS_KEY_ID', 'AKIA', '***'],
  ['S3_SECRET_ACCESS_KEY', 's3cret', '***'],
  ['MAIL_FROM', { name: 'Parley', address: 'a@b.example' }, '{"name":"Parley","address":"a@b.example"}'],
  ['DATABASE_POOL', 10, '10'],
  ['OTEL_EXPORTER_OTLP_HEADERS_TOKEN', 'x', '***'],
])('%s=%j is shown as %s', (name, value, shown) => {
  expect(maskedSettings({ [name]: value })).toEqual([{ name, value: shown }]);
});

test('settings without a value are left out', () => {
  expect(maskedSettings({ A: undefined, B: false })).toEqual([{ name: 'B', value: 'false' }]);
});

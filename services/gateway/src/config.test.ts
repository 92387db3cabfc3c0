import { ConfigError } from '@parley/shared/service';
import { loadConfig } from './config';

const addresses = {
  REALM_ADDRESS: 'realm:1',
  MESSAGES_ADDRESS: 'messages:2',
  INVITES_ADDRESS: 'invites:4',
  SCHEDULER_ADDRESS: 'scheduler:5',
  NATS_URL: 'nats://nats:4222',
  EVENTS_ADDRESS: '10.0.0.1:3,10.0.0.2:3',
};

test('the addresses of the services and of the broker are all that must be set', () => {
  expect(loadConfig(addresses)).toEqual({
    LOG_LEVEL: 'info',
    PORT: 9991,
    BIND: '127.0.0.1',
    EXTERNAL_HOST: '127.0.0.1:9991',
    API_BRANDS: ['service'],
    APP_SCHEMES: ['parley'],
    DEV_LOGIN: false,
    WEB_PUBLIC_STREAMS_ENABLED: false,
    VALIDATE_RESULTS: false,
    DATA_DIR: './var',
    MAX_FILE_UPLOAD_SIZE_MIB: 100,
    S3_REGION: 'us-east-1',
    RATE_LIMITS: true,
    ACCOUNT_REQUESTS_PER_MINUTE: 200,
    ADDRESS_REQUESTS_PER_MINUTE: 100,
    SEARCHES_PER_MINUTE: 100,
    MAIL_IN_MAX_SIZE_MIB: 25,
    MAILS_PER_MINUTE: 60,
    REGISTRATIONS_PER_MINUTE: 100,
    UPLOADS_PER_MINUTE: 200,
    UPLOAD_PARTS_PER_MINUTE: 600,
    DOWNLOADS_PER_MINUTE: 1_000,
    POLLS_PER_MINUTE: 300,
    SIGN_INS_PER_MINUTE: 50,
    SCIM_REQUESTS_PER_MINUTE: 30_000,
    TRUSTED_PROXIES: [],
    NATS_PREFIX: '',
    REGISTRATIONS_AT_ONCE: 16,
    REGISTRATIONS_WAITING: 5_000,
    VISITOR_REGISTRATIONS_AT_ONCE: 4,
    VISITOR_REGISTRATIONS_WAITING: 500,
    ...addresses,
  });
});

test('brands are words', () => {
  expect(loadConfig({ ...addresses, API_BRANDS: 'service,acme' }).API_BRANDS).toEqual(['service', 'acme']);
});

test.each([
  ['PORT', '70000'],
  ['EXTERNAL_HOST', 'http://chat.example'],
  ['API_BRANDS', 'service,'],
  ['APP_SCHEMES', 'parley://'],
  ['APP_SCHEMES', 'parley,https'],
  ['REALM_ADDRESS', 'realm'],
  ['EVENTS_ADDRESS', ''],
  ['RATE_LIMITS', 'perhaps'],
  ['TRUSTED_PROXIES', '10.0.0.0/8,proxy'],
])('%s may not be "%s"', (name, value) => {
  expect(() => loadConfig({ ...addresses, [name]: value })).toThrow(ConfigError);
});

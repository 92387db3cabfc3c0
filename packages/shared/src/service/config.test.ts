import { z } from 'zod';
import { readConfig, tlsFilesOf } from './config';

describe('a wrong setting is named', () => {
  const settings = {
    LEVEL: z.enum(['a']),
    BOT_KEY_SECRET: z.string().min(32),
    S3_SECRET_ACCESS_KEY: z.string().min(8),
  };

  test('with what it is, unless that is a secret', () => {
    const read = () => readConfig(settings, { LEVEL: 'b', BOT_KEY_SECRET: 'hush', S3_SECRET_ACCESS_KEY: 'hush' });
    expect(read).toThrow('(it is "b")');
    expect(read).toThrow('BOT_KEY_SECRET');
    expect(read).not.toThrow('hush');
  });
});

test('files for TLS are set together or not at all', () => {
  const files = { TLS_CERT_FILE: 'cert', TLS_KEY_FILE: 'key', TLS_CA_FILE: 'ca' };
  expect(tlsFilesOf(files)).toEqual({ certFile: 'cert', keyFile: 'key', caFile: 'ca' });
  expect(tlsFilesOf({})).toBeUndefined();
  expect(() => tlsFilesOf({ ...files, TLS_CA_FILE: undefined })).toThrow('must be set together');
});

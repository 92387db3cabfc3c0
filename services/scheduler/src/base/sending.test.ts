import { BadRequestError, ServiceUnavailableError } from '@parley/shared/errors';
import { failureOrThrow } from './sending';

const bug = new Error('test');
const away = new ServiceUnavailableError();

test.each([
  ['a refusal', new BadRequestError('No'), 1, 'No'],
  ['a bug that stays', bug, 5, 'Internal server error'],
])('%s is a failure', (_name, error, attempts, failure) => {
  expect(failureOrThrow(error, { attempts })).toBe(failure);
});

test.each([
  ['a bug', bug, 4],
  ['a service that is away', away, 1],
  ['a service that is away for long', away, 100],
])('%s is none: it is tried again', (_name, error, attempts) => {
  expect(() => failureOrThrow(error, { attempts })).toThrow(error);
});

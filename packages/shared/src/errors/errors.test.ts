import { randomBytes } from 'node:crypto';
import * as errors from './index';
import { BadRequestError, decodeError, encodeError, PublicError, StreamDoesNotExistError } from './index';

const roundTrip = (error: PublicError) => decodeError(encodeError(error));

describe('a public error', () => {
  test('survives the network as the class it was', () => {
    const error = roundTrip(new StreamDoesNotExistError({ stream_id: 7 }));
    expect(error).toBeInstanceOf(StreamDoesNotExistError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'StreamDoesNotExistError',
      code: 'STREAM_DOES_NOT_EXIST',
      httpStatus: 400,
      message: "Channel with ID '7' does not exist",
      fields: { stream_id: 7 },
    });
  });

  test('keeps its own status and fields', () => {
    expect(roundTrip(new BadRequestError('No such draft', { a: [1] }, 404))).toMatchObject({
      httpStatus: 404,
      fields: { a: [1] },
    });
  });

  test('fits into a header, however long the text that it repeats', () => {
    const long = 'é✔'.repeat(200_000);
    expect(roundTrip(new BadRequestError(`No such topic '${long}'`)).message).toMatch(/^No such topic '(é✔){400}/);
    const addresses = Array.from({ length: 1_000 }, (_, index) => [
      `somebody-${index}@example.org`,
      'Has an account.',
      false,
    ]);
    expect(roundTrip(new BadRequestError('Some were not invited', { addresses }))).toMatchObject({
      fields: { addresses },
    });
    const noise = randomBytes(100_000).toString('base64');
    expect(roundTrip(new BadRequestError('Too much', { noise }))).toMatchObject({ message: 'Too much', fields: {} });
    for (const fields of [{ long }, { addresses }, { noise }]) {
      expect(encodeError(new BadRequestError(long, fields)).length).toBeLessThanOrEqual(40_000);
    }
  });

  test('of a class that this version does not know is still a public error', () => {
    class NewerError extends PublicError {}
    const error = roundTrip(new NewerError('NEWER', 418, 'from the future'));
    expect(error).toBeInstanceOf(PublicError);
    expect(error).toMatchObject({ code: 'NEWER', httpStatus: 418, message: 'from the future' });
  });

  test('every named class is exported under its own name', () => {
    const classes = Object.entries(errors).filter(([, value]) => value.prototype instanceof PublicError);
    expect(classes.length).toBeGreaterThan(8);
    for (const [name, type] of classes) expect((type as { name: string }).name).toBe(name);
  });
});

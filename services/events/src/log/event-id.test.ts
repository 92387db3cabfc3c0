import { MAX_EVENTS_PER_RECORD } from '@parley/shared/bus';
import { endOfRecord, eventId, heartbeatId, recordSeqOf } from './event-id';

describe('an event id', () => {
  test('grows with the record, then the payload, then the shape', () => {
    const ids = [
      eventId(1, 0, 0),
      eventId(1, 0, 1),
      eventId(1, 1, 0),
      eventId(1, MAX_EVENTS_PER_RECORD - 1, 1023),
      endOfRecord(1),
      heartbeatId(1, -1),
      heartbeatId(1, heartbeatId(1, -1)),
      eventId(2, 0, 0),
    ];
    expect([...new Set(ids)].sort((a, b) => a - b)).toEqual(ids);
  });

  test.each([
    [-1, -1],
    [0, 0],
    [eventId(1, 0, 0), 1],
    [endOfRecord(1), 1],
    [heartbeatId(1, -1), 1],
    [eventId(2, 0, 0) - 1, 1],
    [eventId(2 ** 36, 31, 5), 2 ** 36],
  ])('%d points into record %d', (id, recordSeq) => expect(recordSeqOf(id)).toBe(recordSeq));
});

describe('a heartbeat id', () => {
  const first = endOfRecord(7) + 1;
  const last = eventId(8, 0, 0) - 1;
  test.each([
    ['before anything was seen', -1, first],
    ['after an event of an earlier record', eventId(3, 0, 0), first],
    ['after an event of the record', eventId(7, 31, 0), first],
    ['after the end of the record', endOfRecord(7), first],
    ['after a heartbeat', first, first + 1],
    ['when there is one left', last - 1, last],
    ['when there is none left', last, last],
    ['after what another pod has delivered', eventId(9, 0, 0), eventId(9, 0, 0)],
  ])('%s', (_when, cursor, id) => expect(heartbeatId(7, cursor)).toBe(id));

  test('of an empty log lies before the first record', () => {
    expect(heartbeatId(0, endOfRecord(0))).toBeGreaterThan(endOfRecord(0));
    expect(heartbeatId(0, eventId(1, 0, 0) - 1)).toBeLessThan(eventId(1, 0, 0));
  });
});

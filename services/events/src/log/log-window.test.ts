import { directMessage } from '../../test/eg';
import { endOfRecord, eventId } from './event-id';
import { LogWindow } from './log-window';

const RECORD_BYTES = 1_000;

function bytes(count = 1): Buffer {
  const text = JSON.stringify({ payloads: Array.from({ length: count }, () => directMessage([1])) });
  return Buffer.from(text.padEnd(RECORD_BYTES));
}

/** A window of about `size` records, after record 100. */
function windowOf(size: number): LogWindow {
  const window = new LogWindow(size * RECORD_BYTES);
  window.restartAfter(100);
  return window;
}

const seqs = (window: LogWindow, realmId: number, position: number) =>
  [...window.recordsAfter(realmId, position)].map(({ seq }) => seq);

describe('the window of the log', () => {
  test("gives an organization's records in order, from the one that a position points into", () => {
    const window = windowOf(100);
    for (const seq of [101, 103, 104]) window.append(seq, 1, 'message.sent', bytes());
    window.append(105, 2, 'message.sent', bytes());
    expect(seqs(window, 1, -1)).toEqual([101, 103, 104]);
    expect(seqs(window, 1, eventId(103, 0, 0))).toEqual([103, 104]);
    expect(seqs(window, 1, endOfRecord(103) - 1)).toEqual([103, 104]);
    expect(seqs(window, 1, endOfRecord(103))).toEqual([104]);
    expect(seqs(window, 1, endOfRecord(104) + 1_000_000)).toEqual([]);
    expect(seqs(window, 3, -1)).toEqual([]);
    expect(window.head).toBe(105);
  });

  test('reaches back to where it began', () => {
    const window = windowOf(100);
    window.append(101, 1, 'message.sent', bytes());
    expect([window.floorOf(1), window.floorOf(2)]).toEqual([endOfRecord(100), endOfRecord(100)]);
  });

  test('drops the oldest, and reaches back to behind them; other organizations are as complete as before', () => {
    const window = windowOf(16);
    window.append(101, 2, 'message.sent', bytes());
    for (let seq = 102; seq <= 122; seq += 1) window.append(seq, 1, 'message.sent', bytes());
    const [first] = seqs(window, 1, -1) as [number];
    expect(first).toBeGreaterThan(105);
    expect(window.floorOf(1)).toBe(endOfRecord(first - 1));
    expect(window.floorOf(2)).toBe(endOfRecord(101));
    expect(window.floorOf(3)).toBe(endOfRecord(100));
  });

  test('counts the memory of parsed records', () => {
    const window = windowOf(16);
    for (let seq = 101; seq <= 116; seq += 1) window.append(seq, 1, 'message.sent', bytes());
    expect(seqs(window, 1, -1)).toHaveLength(16);
    for (const record of window.recordsAfter(1, -1)) expect(record.entries).toHaveLength(1);
    window.append(117, 1, 'message.sent', bytes());
    expect(seqs(window, 1, -1).length).toBeLessThan(7);
  });

  test('counts the memory of many public events that a payload becomes', () => {
    const window = windowOf(1_000);
    const messageIds = Array.from({ length: 500 }, (_, index) => index + 1);
    const payloads = [{ messageIds, audience: { to: 'users', userIds: [1] } }];
    const record = window.append(101, 1, 'messages.deleted-singly', Buffer.from(JSON.stringify({ payloads })));
    const before = window.weight;
    expect(record.entries).toHaveLength(500);
    expect(window.weight - before).toBeGreaterThan(500 * 100);
  });

  test('keeps no records without a public shape, but advances past them', () => {
    const window = windowOf(100);
    window.append(101, 1, 'subscription.changed', bytes());
    window.skip(102);
    expect(seqs(window, 1, -1)).toEqual([]);
    expect(window.head).toBe(102);
  });

  test('forgets everything when the log is another one', () => {
    const window = windowOf(100);
    window.append(101, 1, 'message.sent', bytes());
    window.restartAfter(7);
    expect(seqs(window, 1, -1)).toEqual([]);
    expect([window.head, window.floorOf(1)]).toEqual([7, endOfRecord(7)]);
  });
});

test('the events of a record have ids in the order of its payloads', () => {
  const record = windowOf(100).append(101, 1, 'message.sent', bytes(3));
  expect(record.entries.map(({ id }) => id)).toEqual([0, 1, 2].map((index) => eventId(101, index, 0)));
});

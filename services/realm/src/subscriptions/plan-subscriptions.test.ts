import { pickColor } from './colors';
import { planSubscriptions } from './plan-subscriptions';

const target = (channelId: number, color: string | null = null) => ({ channelId, name: `channel ${channelId}`, color });
const record = (channelId: number, userId: number, isActive: boolean, color = '#123456') => ({
  channelId,
  userId,
  isActive,
  color,
});
const NOTHING = { records: [], usedColors: [] };

describe('the plan of subscriptions', () => {
  test('leaves out who is subscribed already, and says so', () => {
    const records = [record(1, 10, true), record(2, 11, true)];
    const plan = planSubscriptions([target(1), target(2)], [10, 11, 12], { records, usedColors: [] });
    expect(plan.joining.map(({ channelId, userId }) => [channelId, userId])).toEqual([
      [2, 10],
      [1, 11],
      [1, 12],
      [2, 12],
    ]);
    expect([...plan.subscribed]).toEqual([
      [10, ['channel 2']],
      [11, ['channel 1']],
      [12, ['channel 1', 'channel 2']],
    ]);
    expect([...plan.alreadySubscribed]).toEqual([
      [10, ['channel 1']],
      [11, ['channel 2']],
    ]);
  });

  test('takes the colour asked for, or the earlier one, or one the user has not used', () => {
    const history = {
      records: [record(1, 10, false), record(2, 10, false)],
      usedColors: [{ userId: 10, colors: ['#123456', '#76ce90', '#a6c7e5'] }],
    };
    const plan = planSubscriptions([target(1, '#abcdef'), target(2), target(3), target(4)], [10], history);
    expect(plan.joining.map(({ color }) => color)).toEqual(['#abcdef', '#123456', '#fae589', '#e79ab5']);
  });

  test('gives every user their own row of colours', () => {
    const plan = planSubscriptions([target(1), target(2)], [10, 11], NOTHING);
    expect(plan.joining.map(({ color }) => color)).toEqual(['#76ce90', '#fae589', '#76ce90', '#fae589']);
  });

  test('uses the palette of 24 up before a colour comes twice', () => {
    const used = new Set<string>();
    for (let channelId = 1; channelId <= 24; channelId += 1) used.add(pickColor(used, channelId));
    expect(used.size).toBe(24);
    expect(pickColor(used, 25)).toBe('#fae589');
    expect(pickColor(used, 48)).toBe('#76ce90');
  });
});

import { pickColor, planSubscriptions } from './plan-subscriptions';
import type { Pair, Properties } from './subscriptions.sql';

const target = (channelId: number, color: string | null = null) => ({ channelId, color });
const record = (channelId: number, userId: number, isActive: boolean, properties: Partial<Properties> = {}) => ({
  channelId,
  userId,
  isActive,
  properties: { color: '#123456', isMuted: false, isPinned: false, ...properties },
});
const NOTHING = { records: [], usedColors: [] };

describe('the plan of subscriptions', () => {
  test('gives all users the same new colours, regardless of their former ones', () => {
    const userIds = Array.from({ length: 11 }, (_, index) => index);
    const usedColors = userIds.map((userId) => ({ userId, colors: [pickColor(new Set(), userId)] }));
    const { joining } = planSubscriptions([target(1), target(2)], userIds, { records: [], usedColors });
    const colors = new Set(joining.map(({ channelId, properties }) => `${channelId} ${properties.color}`));
    expect(colors.size).toBe(2);
  });

  test('skips existing subscriptions, and reports them', () => {
    const records = [record(1, 10, true), record(2, 11, true)];
    const plan = planSubscriptions([target(1), target(2)], [10, 11, 12], { records, usedColors: [] });
    const pairs = (list: readonly Pair[]) => list.map(({ channelId, userId }) => [channelId, userId]);
    expect(pairs(plan.joining)).toEqual([
      [2, 10],
      [1, 11],
      [1, 12],
      [2, 12],
    ]);
    expect(pairs(plan.alreadySubscribed)).toEqual([
      [1, 10],
      [2, 11],
    ]);
  });

  test('takes the requested colour, or the earlier one, or one the user has not used', () => {
    const history = {
      records: [record(1, 10, false), record(2, 10, false)],
      usedColors: [{ userId: 10, colors: ['#123456', '#76ce90', '#a6c7e5'] }],
    };
    const plan = planSubscriptions([target(1, '#abcdef'), target(2), target(3), target(4)], [10], history);
    expect(plan.joining.map(({ properties }) => properties.color)).toEqual([
      '#abcdef',
      '#123456',
      '#fae589',
      '#e79ab5',
    ]);
  });

  test('keeps the properties of a former subscription', () => {
    const records = [record(1, 10, false, { isMuted: true, pushNotifications: false })];
    const { joining } = planSubscriptions([target(1), target(2)], [10], { records, usedColors: [] });
    expect(joining.map(({ properties }) => properties)).toEqual([
      { color: '#123456', isMuted: true, isPinned: false, pushNotifications: false },
      { color: '#76ce90', isMuted: false, isPinned: false },
    ]);
  });

  test('gives every user their own row of colours', () => {
    const plan = planSubscriptions([target(1), target(2)], [10, 11], NOTHING);
    const colors = plan.joining.map(({ properties }) => properties.color);
    expect(colors).toEqual(['#76ce90', '#fae589', '#76ce90', '#fae589']);
  });

  test('uses the palette of 24 up before a colour comes twice', () => {
    const used = new Set<string>();
    for (let channelId = 1; channelId <= 24; channelId += 1) used.add(pickColor(used, channelId));
    expect(used.size).toBe(24);
    expect(pickColor(used, 25)).toBe('#fae589');
    expect(pickColor(used, 48)).toBe('#76ce90');
  });
});

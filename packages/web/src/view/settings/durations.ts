/** Seconds of the units in which people say how long something takes, longest first. */
export const UNITS = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1 } as const;
export type Unit = keyof typeof UNITS;
export const UNIT_NAMES = Object.keys(UNITS) as Unit[];

/** A time in the longest unit of which it is a whole number. */
export function inUnits(seconds: number): { count: number; unit: Unit } {
  const unit = UNIT_NAMES.find((each) => seconds >= UNITS[each] && seconds % UNITS[each] === 0) ?? 'seconds';
  return { count: seconds / UNITS[unit], unit };
}

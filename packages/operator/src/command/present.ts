import type { CommandResult } from './command';
import { printable } from './printable';

/** The output for people: a line per field. */
export function present(result: CommandResult): string {
  return Object.entries(result)
    .map(([name, value]) =>
      typeof value === 'object' ? presentList(name, value) : `${name}: ${printable(String(value))}\n`,
    )
    .join('');
}

function presentList(name: string, items: readonly Readonly<Record<string, string | number | boolean>>[]): string {
  if (items.length === 0) return `${name}: none\n`;
  const lines = items.map(
    (item) =>
      `  ${Object.entries(item)
        .map(([field, value]) => `${field}: ${printable(String(value))}`)
        .join(', ')}\n`,
  );
  return `${name}:\n${lines.join('')}`;
}

/** An instant, as commands print it. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

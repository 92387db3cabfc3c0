/** Key for comparing names; stored beside the name in the columns called *_key. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

/** A path in a declaration: `{name}` stands for a segment that matches the name's pattern. */
export interface PathTemplate {
  path: string;
  patterns: ReadonlyMap<string, RegExp>;
}

export interface FoundPath<Target> {
  target: Target;
  /** Decoded. */
  parameters: Record<string, string>;
}

interface OpenPath<Target> {
  /** Null: a placeholder. */
  fixedParts: (string | null)[];
  names: (string | null)[];
  patterns: ReadonlyMap<string, RegExp>;
  target: Target;
}

const PLACEHOLDER = /^\{(\w+)\}$/;

/**
 * Finds the declared path of a request without trying one after the other: fixed paths by lookup, others among those with the
 * same number of segments and the same beginning. If several match, the first one added is found; fixed ones take precedence.
 */
export class PathTable<Target> {
  readonly #fixed = new Map<string, FoundPath<Target>>();
  readonly #open = new Map<string, OpenPath<Target>[]>();

  /** `prefixLength` is the number of parts before the first that tells paths apart. */
  constructor(private readonly prefixLength: number) {}

  add({ path, patterns }: PathTemplate, target: Target): void {
    if (!path.includes('{')) {
      this.#fixed.set(path, { target, parameters: {} });
      return;
    }
    const parts = path.split('/');
    const names = parts.map((part) => PLACEHOLDER.exec(part)?.[1] ?? null);
    const fixedParts = parts.map((part, index) => (names[index] === null ? part : null));
    const key = this.#keyOf(parts);
    this.#open.set(key, [...(this.#open.get(key) ?? []), { fixedParts, names, patterns, target }]);
  }

  /** Null if nothing matches, or if a segment cannot be decoded. */
  find(path: string): FoundPath<Target> | null {
    const fixed = this.#fixed.get(path);
    if (fixed) return fixed;
    const parts = path.split('/');
    for (const open of this.#open.get(this.#keyOf(parts)) ?? []) {
      const parameters = parametersOf(open, parts);
      if (parameters) return { target: open.target, parameters };
    }
    return null;
  }

  #keyOf(parts: readonly string[]): string {
    return `${parts.length} ${parts[this.prefixLength]}`;
  }
}

function parametersOf<Target>(
  { fixedParts, names, patterns }: OpenPath<Target>,
  parts: readonly string[],
): Record<string, string> | null {
  const parameters: Record<string, string> = {};
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] as string;
    const name = names[index];
    if (name === null || name === undefined) {
      if (part !== fixedParts[index]) return null;
      continue;
    }
    const text = decoded(part);
    if (text === null || patterns.get(name)?.test(text) === false) return null;
    parameters[name] = text;
  }
  return parameters;
}

function decoded(part: string): string | null {
  if (part === '') return null;
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

const PATIENCE_MS = 3_000;

/** Throws, in one line, unless a gateway answers at `base`: a run without one would be a waste of time. */
export async function requireAnswer(base: URL): Promise<void> {
  try {
    await fetch(new URL('/health/live', base), { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    throw new Error(`nothing answers at ${base.origin}: run npm start, or name a running deployment with --base`);
  }
}

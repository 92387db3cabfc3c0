import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';

/** The last delivered entry of each log, by organization; 0 is the deployment's. */
export type Positions = Map<number, number>;

const schema = z.object({ positions: z.record(z.string().regex(/^\d+$/), z.number().int().nonnegative()) });

/** The positions delivered so far; none without a file. Throws if the file is another kind of file. */
export async function readPositions(file: string | undefined): Promise<Positions> {
  if (file === undefined) return new Map();
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`${file} cannot be read (${error.code})`);
  });
  if (text === null) return new Map();
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) throw new Error(`${file} is no file of positions: take it away to begin anew`);
  return new Map(Object.entries(parsed.data.positions).map(([id, seq]) => [Number(id), seq]));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Atomic: after a crash either the former file is there or the new one. */
export async function writePositions(file: string | undefined, positions: Positions): Promise<void> {
  if (file === undefined) return;
  const draft = `${file}.${randomUUID()}`;
  const text = `${JSON.stringify({ positions: Object.fromEntries(positions) })}\n`;
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw new Error(`the positions cannot be written to ${file} (${(error as NodeJS.ErrnoException).code})`);
  }
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options?: { type: 'minor' }) => void;

let collect: Collect | undefined;

/** Collects all garbage, or that of the youngest objects only: what V8 offers with a flag at the start of a process. */
export function collectGarbage(options?: { type: 'minor' }): void {
  collect ??= offered();
  collect(options);
}

function offered(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

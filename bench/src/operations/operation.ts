/** Something that clients of a large organization do. */
export interface Operation {
  name: string;
  /** Makes ready for a run; its time does not count. */
  prepare?(): Promise<unknown>;
  /** The request of a run; runs are numbered. */
  request(run: number): ApiRequest;
  /** The lower bound for any server: one statement, its result passed on unchanged. */
  limit(run: number): string;
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  fields?: Record<string, string>;
  /** `Authorization` header; absent: that of the organization's owner. */
  authorization?: string;
  /** Ends the benchmark when it is not in the answer. */
  expected?: string;
}

/** Without the operations that the words after the command do not name; all of them when there are none. */
export function chosen<Named extends { name: string }>(operations: readonly Named[]): Named[] {
  const words = process.argv.slice(2);
  return operations.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
}

export const get = (path: string): ApiRequest => ({ method: 'GET', path });
export const post = (path: string, fields: Record<string, string>): ApiRequest => ({ method: 'POST', path, fields });

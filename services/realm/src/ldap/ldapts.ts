import type * as Ldapts from 'ldapts';

let loaded: typeof Ldapts | undefined;

/** The client, loaded with the first directory: most deployments have none. */
export function ldapts(): typeof Ldapts {
  loaded ??= require('ldapts') as typeof Ldapts;
  return loaded;
}

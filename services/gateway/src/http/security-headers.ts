import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** Whoever shows an answer as a page gets to see text: nothing in it runs, loads, or is shown inside another page. */
const POLICY = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] };

const middleware = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: POLICY },
  // Clients in a browser come from other sites; they are let in by their credentials.
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  // What only documents with scripts need, or browsers of the past: each header costs every answer its microsecond.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** What helmet sets on every answer, made once. Answers with something to show have a policy of their own. */
export const SECURITY_HEADERS = headersOf(middleware);

function headersOf(setHeaders: typeof middleware): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name] = value;
    },
    removeHeader: () => {},
  };
  setHeaders({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  return headers;
}

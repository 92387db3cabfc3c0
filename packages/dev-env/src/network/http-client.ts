import http from 'node:http';

export interface HttpRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer | undefined;
}

export interface HttpResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

export interface HttpClient {
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Closes all connections, with pending requests or not. */
  close(): void;
}

/** Sends requests unchanged, headers included (fetch would correct or refuse some), over kept connections. */
export function createHttpClient(address: string): HttpClient {
  const agent = new http.Agent({ keepAlive: true });
  const [host, port] = address.split(':');
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const request = http.request({ agent, host, port, method, path, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            resolve({ status: response.statusCode as number, headers: response.headers, text });
          });
        });
        request.on('error', reject);
        request.end(body);
      }),
    close: () => agent.destroy(),
  };
}

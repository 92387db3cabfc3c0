import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector gets it. */
export interface ReceivedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  attributes: Readonly<Record<string, unknown>>;
  /** 2: it failed. */
  status: { code?: number; message?: string };
  links: readonly { traceId: string; spanId: string }[];
}

type Attributes = { key: string; value: Record<string, unknown> }[];
type WireSpan = Omit<ReceivedSpan, 'service' | 'attributes' | 'links'> & {
  attributes: Attributes;
  links?: { traceId: string; spanId: string }[];
};
interface Export {
  resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: WireSpan[] }[] }[];
}

/** A collector for spans that are sent as `http/json`. */
export class SpanReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Everything that it got, as it came. */
  text = '';
  readonly #server = http.createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      this.#take(Buffer.concat(parts).toString());
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });

  static async start(): Promise<SpanReceiver> {
    const receiver = new SpanReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** Settings that send a process's spans here, in larger batches than tests have: they come when it stops. */
  get settings(): Record<string, string> {
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(text: string): void {
    this.text += text;
    const { resourceSpans } = JSON.parse(text) as Export;
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name']);
      const spans = scopeSpans.flatMap((scope) => scope.spans);
      this.spans.push(
        ...spans.map(({ attributes, links = [], ...span }) => ({
          ...span,
          service,
          links,
          attributes: valuesOf(attributes),
        })),
      );
    }
  }
}

function valuesOf(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

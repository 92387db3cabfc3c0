import './zod-locales';
import { z } from 'zod';

/** Settings of traces, for every service. The library reads further standard variables. */
export const tracingSettings = {
  /** The collector's address; absent: no traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/protobuf', 'http/json']).optional(),
  /** The sampler: which requests are traced. */
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),
};

/** Null: tracing is off, or its settings are invalid, which the service reports. */
export function loadTracingConfig(environment: NodeJS.ProcessEnv = process.env) {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const isOff = set['OTEL_SDK_DISABLED'] === 'true' || set['OTEL_TRACES_EXPORTER'] === 'none';
  if (isOff || set['OTEL_EXPORTER_OTLP_ENDPOINT'] === undefined) return null;
  return z.object(tracingSettings).safeParse(set).data ?? null;
}

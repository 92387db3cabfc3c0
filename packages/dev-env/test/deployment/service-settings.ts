import * as events from '@parley/events/config';
import * as gateway from '@parley/gateway/config';
import * as invites from '@parley/invites/config';
import * as messages from '@parley/messages/config';
import * as realm from '@parley/realm/config';
import * as scheduler from '@parley/scheduler/config';
import type { z } from 'zod';

export const CONFIGS = { gateway, messages, realm, invites, events, scheduler } as const;

export type ServiceName = keyof typeof CONFIGS;

export const SERVICES = Object.keys(CONFIGS) as ServiceName[];

type Environment = Record<string, string>;

export const settingsOf = (service: ServiceName): Record<string, z.ZodType> => CONFIGS[service].settings;

/** Why a service would refuse to start with these settings; undefined when it would not. */
export function refusal(service: ServiceName, environment: Environment): string | undefined {
  try {
    CONFIGS[service].loadConfig(environment);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Secrets that replicas must share, and that must outlive them: a replica alone would generate its own. */
export const secretsOf = (service: ServiceName): string[] =>
  Object.keys(settingsOf(service)).filter((name) => name.endsWith('_SECRET'));

export interface SettingSummary {
  services: ServiceName[];
  /** As an operator would write it; empty: none. */
  defaultText: string;
  isRequired: boolean;
}

/** Every setting of any service. */
export function allSettings(): Map<string, SettingSummary> {
  const all = new Map<string, SettingSummary>();
  for (const service of SERVICES) {
    for (const [name, schema] of Object.entries(settingsOf(service))) {
      const known = all.get(name);
      if (known) known.services.push(service);
      else all.set(name, { services: [service], ...defaultOf(schema) });
    }
  }
  return all;
}

function defaultOf(schema: z.ZodType): Omit<SettingSummary, 'services'> {
  const [first, second] = [schema.safeParse(undefined), schema.safeParse(undefined)];
  if (!first.success) return { defaultText: '', isRequired: true };
  // Made up at every start.
  const isRandom = typeof first.data === 'string' && first.data !== second.data;
  const isPlain = ['string', 'number', 'boolean'].includes(typeof first.data) || isWords(first.data);
  return { defaultText: isPlain && !isRandom ? String(first.data) : '', isRequired: false };
}

const isWords = (value: unknown): boolean => Array.isArray(value) && value.every((word) => typeof word === 'string');

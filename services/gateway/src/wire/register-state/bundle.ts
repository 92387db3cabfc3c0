import type { RegisterState } from '@parley/shared/proto';
import type { z } from 'zod';

/** How the client of a POST /register wants to see things. */
export interface RegisterView {
  clientGravatar: boolean;
  /** Names of its capabilities. */
  capabilities: ReadonlySet<string>;
  /** Origin of the organization's address. */
  origin: string;
  /** When this server began to serve, UNIX milliseconds. */
  startedAtMs: number;
}

/** A part of the realm's state that clients fetch under one name. */
export interface Bundle<Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** As in `fetch_event_types`. */
  type: string;
  fields: Shape;
  present(state: RegisterState, view: RegisterView): z.output<z.ZodObject<Shape>>;
}

export function bundle<Shape extends z.ZodRawShape>(declaration: Bundle<Shape>): Bundle<Shape> {
  return declaration;
}

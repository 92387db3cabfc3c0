import { z } from 'zod';

/** Raised when archives change such that older versions cannot read them. */
export const FORMAT = 1;

/** The last entry of an archive. */
export const MANIFEST = 'manifest.json';

/** Checking an archive keeps one line per entry in memory, and then the manifest. */
export const MAX_ENTRIES = 1_000_000;
/** Maximum size for the maximum number of entries. */
export const MAX_MANIFEST_BYTES = 384 * 1024 * 1024;

/** The order of reading: rows that refer to accounts and channels before those, so that every reference exists. */
export const ARCHIVED_SERVICES = ['scheduler', 'invites', 'messages', 'realm'] as const;

export type ArchivedService = (typeof ARCHIVED_SERVICES)[number];

const serviceSchema = z.object({
  /** The migrations that were applied. */
  migrations: z.array(z.string()),
  /** The last number of each sequence. */
  sequences: z.record(z.string(), z.number()),
  /** The number of rows of each table. */
  rows: z.record(z.string(), z.number()),
});

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** Everything, secrets included; public data; public data and that of consenting members; the data of one person. */
  kind: z.enum(['complete', 'public', 'consented', 'personal']),
  made_at: z.string(),
  realm: z.object({
    id: z.number().int().positive(),
    uuid: z.string(),
    name: z.string(),
    subdomain: z.string(),
    is_deactivated: z.boolean(),
  }),
  services: z.record(z.enum(ARCHIVED_SERVICES), serviceSchema),
  entries: z.array(z.object({ name: z.string(), size: z.number(), sha256: z.string() })),
  /** Uploaded files whose bytes were deleted meanwhile. */
  missing_files: z.array(z.string()),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type ServiceManifest = z.infer<typeof serviceSchema>;

/** Throws for an invalid manifest, and for one of another format. */
export function readManifest(text: string): Manifest {
  const json: unknown = JSON.parse(text);
  const { format } = z.object({ format: z.number() }).parse(json);
  if (format !== FORMAT) throw new Error(`the archive has format ${format}; this version reads format ${FORMAT}`);
  return manifestSchema.parse(json);
}

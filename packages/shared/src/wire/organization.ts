import type { DataExport, Organization } from '../proto';
import type { AuthenticationMethod, AuthenticationMethods } from '../values';
import { defaultPictureUrl } from './default-pictures';

export const ORGANIZATION_IMAGE_KINDS = ['icon', 'logo', 'night_logo'] as const;

export type OrganizationImageKind = (typeof ORGANIZATION_IMAGE_KINDS)[number];

/** In place of a subdomain at the root domain. */
const ROOT_NAME = 'Parley';

/** The address of the default logo at the gateway. */
export const DEFAULT_LOGO_PATH = '/static/images/default-logo.svg';

/** The address of an organization's icon; without an uploaded one, the subdomain's initial. */
export function organizationIconUrl({
  id,
  subdomain,
  images,
}: Pick<Organization, 'id' | 'subdomain' | 'images'>): string {
  return imageUrl({ id, subdomain }, 'icon', versionOf(images, 'icon'));
}

/** An organization's public data; for POST /register. */
export function publicOrganizationImages(organization: Pick<Organization, 'id' | 'subdomain' | 'images'>) {
  const { images } = organization;
  return {
    ...publicOrganizationImage(organization, 'icon', versionOf(images, 'icon')),
    ...publicOrganizationImage(organization, 'logo', versionOf(images, 'logo')),
    ...publicOrganizationImage(organization, 'night_logo', versionOf(images, 'night_logo')),
  };
}

/** One of its images, and whether it is uploaded (`U`) or a default one; for events. */
export function publicOrganizationImage<Kind extends OrganizationImageKind>(
  organization: Pick<Organization, 'id' | 'subdomain'>,
  kind: Kind,
  version: number | null,
): Record<`${Kind}_url` | `${Kind}_source`, string> {
  const source = version === null ? (kind === 'icon' ? 'G' : 'D') : 'U';
  const members = { [`${kind}_url`]: imageUrl(organization, kind, version), [`${kind}_source`]: source };
  return members as Record<`${Kind}_url` | `${Kind}_source`, string>;
}

function versionOf(images: Organization['images'], kind: OrganizationImageKind): number | null {
  return images.find((image) => image.kind === kind)?.version ?? null;
}

function imageUrl(
  { id, subdomain }: Pick<Organization, 'id' | 'subdomain'>,
  kind: OrganizationImageKind,
  version: number | null,
): string {
  if (version !== null) return `/user_avatars/${id}/realm/${kind}.png?version=${version}`;
  if (kind === 'icon') return defaultPictureUrl({ id, name: subdomain || ROOT_NAME, version: 1 });
  return DEFAULT_LOGO_PATH;
}

export type PublicAuthenticationMethods = Partial<
  Record<AuthenticationMethod | 'LDAP', { enabled: boolean; available: true }>
>;

/**
 * The sign-in methods that the server offers, and whether the organization has enabled each; for POST /register and events. A
 * directory is switched on and off by the operator.
 */
export function publicAuthenticationMethods(
  methods: AuthenticationMethods,
  available: readonly AuthenticationMethod[],
  { hasLdap }: Pick<Organization, 'hasLdap'>,
): PublicAuthenticationMethods {
  const entries = available.map((name) => [name, { enabled: methods[name], available: true }]);
  return { ...Object.fromEntries(entries), ...(hasLdap && { LDAP: { enabled: true, available: true } }) };
}

/** The prefix of archives' paths in addresses. */
export const DATA_EXPORT_PREFIX = '/user_uploads/export/';

/** A data export, as administrators see it. */
export function publicDataExport({ path, ...each }: DataExport) {
  return {
    id: each.id,
    acting_user_id: each.actingUserId,
    export_time: each.createdAtMs / 1_000,
    deleted_timestamp: secondsOf(each.deletedAtMs),
    failed_timestamp: secondsOf(each.failedAtMs),
    export_url: path === undefined ? null : DATA_EXPORT_PREFIX + path,
    pending: each.isPending,
    export_type: each.kind === 'public' ? 1 : 2,
  };
}

function secondsOf(instantMs: number | undefined): number | null {
  return instantMs === undefined ? null : instantMs / 1_000;
}

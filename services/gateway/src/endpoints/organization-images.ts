import type { OrganizationImage } from '@parley/shared/proto';
import { organizationIconUrl, publicOrganizationImages } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint, Redirect, type UserRequest } from '../http/endpoint';
import { json } from '../http/parameters';

/** More than the largest image, so that an image that is too large gets the documented error. */
const MAX_PICTURE_UPLOAD_BYTES = 8 * 1024 * 1024;

/** Selects one of the two logos. */
const night = json(z.boolean().describe('The one for dark themes.'));

function logoKind(isForNight: boolean): 'logo' | 'night_logo' {
  return isForNight ? 'night_logo' : 'logo';
}

export const getRealmIcon = endpoint({
  method: 'GET',
  path: '/realm/icon',
  summary: "Be led to the organization's icon",
  auth: 'user',
  parameters: {},
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call, subdomain }) {
    return new Redirect(organizationIconUrl(await services.realm.getRealm(call, { subdomain })));
  },
});

export const setRealmIcon = endpoint({
  method: 'POST',
  path: '/realm/icon',
  summary: "Upload the organization's icon; for administrators",
  auth: 'user',
  parameters: {},
  maxUploadBytes: MAX_PICTURE_UPLOAD_BYTES,
  result: z.strictObject({ icon_url: z.string() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_IMAGE'],
  async handler({ services }, request) {
    const { images } = await services.realm.setOrganizationImage(request.call, {
      kind: 'icon',
      files: [...request.files],
    });
    return { icon_url: organizationIconOf(request, images) };
  },
});

export const removeRealmIcon = endpoint({
  method: 'DELETE',
  path: '/realm/icon',
  summary: "Go back to the organization's default icon; for administrators",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ icon_url: z.string() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, request) {
    const { images } = await services.realm.removeOrganizationImage(request.call, { kind: 'icon' });
    return { icon_url: organizationIconOf(request, images) };
  },
});

export const getRealmLogo = endpoint({
  method: 'GET',
  path: '/realm/logo',
  summary: "Be led to the organization's wide logo",
  auth: 'user',
  parameters: { night },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call, subdomain }, values) {
    const realm = await services.realm.getRealm(call, { subdomain });
    const { logo_url: day, night_logo_url: dark } = publicOrganizationImages(realm);
    return new Redirect(values.night ? dark : day);
  },
});

export const setRealmLogo = endpoint({
  method: 'POST',
  path: '/realm/logo',
  summary: "Upload one of the organization's wide logos; for administrators",
  auth: 'user',
  parameters: { night },
  maxUploadBytes: MAX_PICTURE_UPLOAD_BYTES,
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_IMAGE'],
  async handler({ services }, { call, files }, values) {
    await services.realm.setOrganizationImage(call, { kind: logoKind(values.night), files: [...files] });
    return {};
  },
});

export const removeRealmLogo = endpoint({
  method: 'DELETE',
  path: '/realm/logo',
  summary: "Go back to one of the organization's default wide logos; for administrators",
  auth: 'user',
  parameters: { night },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, values) {
    await services.realm.removeOrganizationImage(call, { kind: logoKind(values.night) });
    return {};
  },
});

/** The address of the caller's organization's icon. */
function organizationIconOf({ call, subdomain }: UserRequest, images: OrganizationImage[]): string {
  return organizationIconUrl({ id: call.realmId, subdomain, images });
}

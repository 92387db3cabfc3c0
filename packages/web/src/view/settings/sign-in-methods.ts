/** An organization's directory: its operator switches it on and off, and the server refuses it from owners. */
const DIRECTORY = 'LDAP';

/** Whether the organization's owners switch a way to sign in on and off. */
export function isOwnersMethod(name: string): boolean {
  return name !== DIRECTORY;
}

/** Of all ways to sign in, whether each is on, those that owners switch: as PATCH /realm takes them. */
export function ownersMethods(isOn: Readonly<Record<string, boolean>>): Record<string, boolean> {
  return Object.fromEntries(Object.entries(isOn).filter(([name]) => isOwnersMethod(name)));
}

/** An organization's directory: its operator switches it on and off, and the server refuses it from owners. */
const DIRECTORY = 'LDAP';

/** Whether the organization's owners switch a way to sign in on and off. */
export function isOwnersMethod(name: string): boolean {
  return name !== DIRECTORY;
}

/** All ways that owners switch, with one of them changed: as PATCH /realm takes them. */
export function changedMethods(
  methods: Readonly<Record<string, { enabled: boolean }>>,
  name: string,
  isEnabled: boolean,
): Record<string, boolean> {
  const owners = Object.entries(methods).filter(([each]) => isOwnersMethod(each));
  return { ...Object.fromEntries(owners.map(([each, { enabled }]) => [each, enabled])), [name]: isEnabled };
}

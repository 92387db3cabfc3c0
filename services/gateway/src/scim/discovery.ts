/** The features of SCIM 2.0 that this server supports (RFC 7643, sections 5 to 7). */

const URN = 'urn:ietf:params:scim:schemas:core:2.0:';
/** Of the results of one list. */
export const MAX_RESULTS = 200;

interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'complex' | 'reference';
  description: string;
  multiValued?: true;
  required?: true;
  caseExact?: true;
  mutability?: 'readOnly' | 'readWrite' | 'immutable';
  uniqueness?: 'server';
  canonicalValues?: readonly string[];
  referenceTypes?: readonly string[];
  subAttributes?: readonly Attribute[];
}

/** The attribute with all characteristics, as clients expect them. */
function complete({ name, type, description, ...over }: Attribute): Record<string, unknown> {
  const { subAttributes, ...rest } = over;
  return {
    ...{ name, type, multiValued: false, description, required: false, caseExact: false },
    ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none' },
    ...rest,
    ...(subAttributes && { subAttributes: subAttributes.map(complete) }),
  };
}

const USER: readonly Attribute[] = [
  {
    ...{ name: 'userName', type: 'string', description: 'The name in the identity provider, whatever its casing.' },
    ...{ required: true, uniqueness: 'server' },
  },
  {
    ...{
      name: 'name',
      type: 'complex',
      description: 'The parts of the name, of which the full name is made when there is no displayName.',
    },
    subAttributes: [
      { name: 'familyName', type: 'string', description: 'The family name.' },
      { name: 'givenName', type: 'string', description: 'The given name.' },
    ],
  },
  { name: 'displayName', type: 'string', description: 'The full name that others see.', required: true },
  {
    ...{ name: 'active', type: 'boolean', required: true },
    description: 'Whether the account is active. Sessions, queues and keys of inactive ones end at once.',
  },
  {
    ...{ name: 'emails', type: 'complex', multiValued: true, required: true },
    description: 'The address of the account. Of several, the primary one counts.',
    subAttributes: [
      { name: 'value', type: 'string', description: 'The address.', required: true },
      { name: 'type', type: 'string', description: 'Always work.', canonicalValues: ['work'] },
      { name: 'primary', type: 'boolean', description: 'True unless the provider says otherwise.' },
    ],
  },
  {
    ...{ name: 'groups', type: 'complex', multiValued: true, mutability: 'readOnly' },
    description: 'The groups that the user is directly in.',
    subAttributes: [
      { name: 'value', type: 'string', description: 'The id of the group.', mutability: 'readOnly' },
      {
        ...{ name: '$ref', type: 'reference', description: 'The address of the group.' },
        ...{ mutability: 'readOnly', referenceTypes: ['Group'], caseExact: true },
      },
      { name: 'display', type: 'string', description: 'The name of the group.', mutability: 'readOnly' },
      {
        ...{ name: 'type', type: 'string', description: 'Always direct.' },
        ...{ mutability: 'readOnly', canonicalValues: ['direct'] },
      },
    ],
  },
];

const GROUP: readonly Attribute[] = [
  {
    ...{ name: 'displayName', type: 'string', description: 'The name of the user group.' },
    ...{ required: true, uniqueness: 'server' },
  },
  {
    ...{ name: 'members', type: 'complex', multiValued: true, description: 'The people in the group.' },
    subAttributes: [
      { name: 'value', type: 'string', description: 'The id of the user.', mutability: 'immutable' },
      {
        ...{ name: '$ref', type: 'reference', description: 'The address of the user.' },
        ...{ mutability: 'immutable', referenceTypes: ['User'], caseExact: true },
      },
      {
        ...{ name: 'type', type: 'string', description: 'Always User.' },
        ...{ mutability: 'immutable', canonicalValues: ['User'] },
      },
    ],
  },
];

type Document = Record<string, unknown> & { id?: string };

const schemaOf = (name: string, description: string, attributes: readonly Attribute[]): Document => ({
  schemas: [`${URN}Schema`],
  id: URN + name,
  name,
  description,
  attributes: attributes.map(complete),
  meta: { resourceType: 'Schema', location: `/Schemas/${URN}${name}` },
});

const typeOf = (name: string, endpoint: string, description: string): Document => ({
  schemas: [`${URN}ResourceType`],
  ...{ id: name, name, endpoint, description, schema: URN + name, schemaExtensions: [] },
  meta: { resourceType: 'ResourceType', location: `/ResourceTypes/${name}` },
});

/** The lists of discovery documents, by their endpoint. Their addresses are below the server's own. */
export const DISCOVERY: Readonly<Record<string, readonly Document[]>> = {
  Schemas: [schemaOf('User', 'A person’s account', USER), schemaOf('Group', 'A user group', GROUP)],
  ResourceTypes: [typeOf('User', '/Users', 'People’s accounts'), typeOf('Group', '/Groups', 'User groups')],
};

export const SERVICE_PROVIDER_CONFIG: Document = {
  schemas: [`${URN}ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      ...{ type: 'oauthbearertoken', name: 'Bearer token', primary: true },
      description: 'A token that an owner of the organization, or the operator of the server, has made.',
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: '/ServiceProviderConfig' },
};

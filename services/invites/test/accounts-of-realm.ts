import type { AcceptanceFacts, InviteAddress, OpenInvitedAccountRequest } from '@parley/shared/proto';
import type { Context } from '../src/context';

type Methods = 'getAcceptanceFacts' | 'openInvitedAccount' | 'findInvitedAccount';

type Organization = Pick<AcceptanceFacts, 'organizationName' | 'subdomain' | 'language'>;

const ADMINISTRATOR_IDS = [1];
const NOBODY: InviteAddress = { objection: '', holder: '' };

/** A fake of realm's accounts: one for each invitation, with a key when the password is right. */
export function accountsOfRealm(
  realmFacts: () => { addresses?: Readonly<Record<string, InviteAddress>> } & Partial<Organization>,
): Pick<Context['services']['realm'], Methods> {
  const accounts = new Map<number, { userId: number; request: OpenInvitedAccountRequest }>();
  return {
    async getAcceptanceFacts(_call, { emails }) {
      const { addresses = {}, organizationName = 'Acme', subdomain = 'acme', language = 'en' } = realmFacts();
      return {
        ...{ organizationName, subdomain, language },
        addresses: emails.map((email) => addresses[email] ?? NOBODY),
        emailAddressVisibility: 1,
        isPasswordNeeded: true,
      };
    },
    async openInvitedAccount(_call, request) {
      const { invitationId, email, password } = request;
      const account = accounts.get(invitationId) ?? { userId: 100 + accounts.size, request };
      accounts.set(invitationId, account);
      const isSame = password === account.request.password;
      return {
        userId: account.userId,
        email,
        deliveryEmail: email,
        administratorIds: ADMINISTRATOR_IDS,
        ...(isSame && { apiKey: `key of ${account.userId}` }),
      };
    },
    findInvitedAccount: async (_call, { invitationId }) => {
      const account = accounts.get(invitationId);
      return { administratorIds: ADMINISTRATOR_IDS, ...(account && { userId: account.userId }) };
    },
  };
}

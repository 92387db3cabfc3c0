import type { InviteAddress, OpenInvitedAccountRequest } from '@parley/shared/proto';
import type { Context } from '../src/context';

type Methods = 'getAcceptanceFacts' | 'openInvitedAccount' | 'findInvitedAccount';

const ADMINISTRATOR_IDS = [1];
const NOBODY: InviteAddress = { objection: '', holder: '' };

/** A fake of realm's accounts: one for each invitation, with a key when the password is right. */
export function accountsOfRealm(
  realmFacts: () => { addresses?: Readonly<Record<string, InviteAddress>> },
): Pick<Context['services']['realm'], Methods> {
  const accounts = new Map<number, { userId: number; request: OpenInvitedAccountRequest }>();
  return {
    getAcceptanceFacts: async (_call, { emails }) => ({
      organizationName: 'Acme',
      subdomain: 'acme',
      addresses: emails.map((email) => realmFacts().addresses?.[email] ?? NOBODY),
      emailAddressVisibility: 1,
      isPasswordNeeded: true,
      language: 'en',
    }),
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

import type { InvitationTerms } from '@parley/shared/proto';
import { ROLE_VALUES, ROLES } from '@parley/shared/values';
import { z } from 'zod';
import type { Values } from '../../http/endpoint';
import { boundedText, json, text } from '../../http/parameters';

/** A hundred years. */
const MAX_VALID_MINUTES = 52_560_000;
const MAX_IDS = 10_000;
const MAX_WELCOME_LENGTH = 8_000;

const isRole = (role: number) => (ROLE_VALUES as readonly number[]).includes(role);

export const idList = z.array(z.int()).max(MAX_IDS);

/** What an invitation gives, and how long. */
export const termsParameters = {
  invite_expires_in_minutes: json(
    z.int().min(1).max(MAX_VALID_MINUTES).nullish().describe('null: never. Absent: as the server is set.'),
  ),
  invite_as: json(
    z.int().refine(isRole, 'Value error, Not in the list of possible values').default(ROLES.member).describe('A role.'),
  ),
  group_ids: json(idList.default([])),
  include_realm_default_subscriptions: json(z.boolean().default(false)),
  welcome_message_custom_text: text(
    boundedText(MAX_WELCOME_LENGTH).optional().describe("Absent or null: the organization's. Empty: none."),
  ),
};

/** What a request wants of an invitation. */
export function sentTerms(values: Values<typeof termsParameters> & { stream_ids: number[] }): InvitationTerms {
  const { invite_expires_in_minutes: validMinutes, welcome_message_custom_text: welcomeText } = values;
  return {
    invitedAs: values.invite_as,
    channelIds: values.stream_ids,
    groupIds: values.group_ids,
    includesDefaultChannels: values.include_realm_default_subscriptions,
    ...(typeof validMinutes === 'number' && { validMinutes }),
    isValidForEver: validMinutes === null,
    // NOTE: this text is not JSON, but there are clients that write null like that.
    ...(welcomeText !== undefined && welcomeText !== 'null' && { welcomeText }),
  };
}

import * as errors from '@parley/shared/errors';
import { failure } from '../http/answer';

/** One error per code; their fields match the operations' examples. */
const EXAMPLES: readonly errors.PublicError[] = [
  new errors.BadRequestError('Invalid message(s)'),
  new errors.MissingParameterError('content'),
  new errors.InvalidParameterError('message_content_edit_limit_seconds', -1),
  new errors.ConfusingParameterError('to', 'stream'),
  new errors.ServiceUnavailableError(),
  new errors.RateLimitHitError(12),
  new errors.PublicError('INTERNAL_SERVER_ERROR', 500, 'Internal server error'),
  new errors.UnauthorizedError('Invalid API key'),
  new errors.CsrfFailedError(),
  new errors.UserDeactivatedError(),
  new errors.RealmDeactivatedError(),
  new errors.AuthenticationFailedError(),
  new errors.PasswordAuthDisabledError(),
  new errors.NonexistentSubdomainError(),
  new errors.UnauthorizedPrincipalError('Must be an organization administrator'),
  new errors.NotFoundError('Invalid channel folder ID'),
  new errors.StreamDoesNotExistError({ stream: 'lunch' }),
  new errors.ChannelAlreadyExistsError('design'),
  new errors.CannotAdministerChannelError(),
  new errors.CannotManageDefaultChannelError(),
  new errors.CannotSetTopicsPolicyError(),
  new errors.SystemGroupRequiredError('can_create_groups'),
  new errors.ExpectationMismatchError(),
  new errors.IdempotencyKeyReusedError(),
  new errors.CannotDeactivateGroupInUseError([{ type: 'subgroup', supergroup_ids: [12] }]),
  new errors.BadEventQueueIdError('0f8fad5b-d9cb-469f-a165-70867728950e'),
  new errors.BadNarrowError('unknown channel'),
  new errors.MoveMessagesTimeLimitExceededError(42, 3, 8),
  new errors.StreamWildcardMentionNotAllowedError(),
  new errors.TopicWildcardMentionNotAllowedError(),
  new errors.ReactionAlreadyExistsError(),
  new errors.ReactionDoesNotExistError(),
  new errors.InvitationFailedError('Some of those addresses are already using Parley.', {
    skipped: [['dan@example.com', 'Already has an account.', false]],
  }),
  new errors.BadImageError('Could not decode image; did you upload an image file?'),
  new errors.RealmUploadQuotaError(),
  new errors.PushServiceNotConfiguredError(),
  new errors.InvalidPushDeviceTokenError(),
  new errors.NoActivePushDeviceError(),
  new errors.CannotDeactivateLastUserError('organization owner'),
];

export interface ErrorExample {
  status: number;
  answer: { result: 'error'; msg: string; code: string };
}

/** The answer for each error code. */
export const errorExamples: ReadonlyMap<string, ErrorExample> = new Map(
  EXAMPLES.map((error) => {
    const { status, body } = failure(error);
    return [error.code, { status, answer: JSON.parse(String(body)) }];
  }),
);

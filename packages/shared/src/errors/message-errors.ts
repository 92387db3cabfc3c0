import { PublicError } from './errors';

/** The user has reacted to the message with that emoji before. */
export class ReactionAlreadyExistsError extends PublicError {
  constructor() {
    super('REACTION_ALREADY_EXISTS', 400, 'Reaction already exists.');
  }
}

export class ReactionDoesNotExistError extends PublicError {
  constructor() {
    super('REACTION_DOES_NOT_EXIST', 400, "Reaction doesn't exist.");
  }
}

export class StreamWildcardMentionNotAllowedError extends PublicError {
  constructor() {
    super(
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      400,
      'You do not have permission to use channel wildcard mentions in this channel.',
    );
  }
}

export class TopicWildcardMentionNotAllowedError extends PublicError {
  constructor() {
    super(
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      400,
      'You do not have permission to use topic wildcard mentions in this topic.',
    );
  }
}

/** Only the newest messages of a topic may still be moved, or none. */
export class MoveMessagesTimeLimitExceededError extends PublicError {
  constructor(firstMovableId: number | null, movable: number, total: number) {
    super(
      'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      400,
      `You only have permission to move the ${movable}/${total} most recent messages in this topic.`,
      {
        first_message_id_allowed_to_move: firstMovableId,
        total_messages_allowed_to_move: movable,
        total_messages_in_topic: total,
      },
    );
  }
}

export class BadNarrowError extends PublicError {
  constructor(description: string) {
    super('BAD_NARROW', 400, `Invalid narrow operator: ${description}`, { desc: description });
  }
}

/** A narrow may follow one message only. */
export class DuplicateWithError extends PublicError {
  constructor() {
    const description = "Duplicate 'with' operators.";
    super('BAD_NARROW', 400, `Invalid narrow operator combination: ${description}`, { desc: description });
  }
}

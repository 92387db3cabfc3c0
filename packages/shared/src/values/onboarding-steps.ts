// SPEC-GAP: the documents name none; these are the ones that existing clients know.
/** Hints that clients show to new users once, by name, in the order in which they are told. */
export const ONBOARDING_STEPS = [
  'visibility_policy_banner',
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
] as const;

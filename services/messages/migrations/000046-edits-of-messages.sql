-- The edits of messages. A message has its own edits, and those of each topic while it was there: from the edit that brought it to the one that
-- moved it away. Renaming a topic and editing one of its messages in one request is one edit, with one id. In plpgsql its plan is kept by the
-- connection, and a page without edited messages does not pay for it.
create function edits_of(realm bigint, messages bigint[]) returns table (
  message_id bigint, edit_id bigint, actor_id bigint, edited_at timestamptz, prev_content text, prev_rendered_content text,
  prev_topic text, topic text, prev_channel_id bigint, channel_id bigint)
language plpgsql stable rows 10 as $$
#variable_conflict use_column
begin
  return query
    with own as (
      select * from message_edit where realm_id = realm and message_id = any(messages)
    ), moves as (
      select message_id, edit_id, from_conversation_id, coalesce(lag(edit_id) over (partition by message_id order by edit_id), 0) as since
      from own where from_conversation_id is not null
    ), stays as (
      select message_id, from_conversation_id as conversation_id, since, edit_id as until from moves
      union all
      select m.id, m.conversation_id, coalesce((select max(v.edit_id) from moves v where v.message_id = m.id), 0), 9223372036854775807
      from message m where m.realm_id = realm and m.id = any(messages) and m.channel_id is not null
    ), renames as (
      select s.message_id, e.edit_id, e.actor_id, e.edited_at, e.prev_topic, e.topic
      from stays s join topic_edit e on e.realm_id = realm and e.conversation_id = s.conversation_id
        and e.edit_id > s.since and e.edit_id < s.until and e.last_message_id >= s.message_id
    )
    select coalesce(o.message_id, r.message_id), coalesce(o.edit_id, r.edit_id), coalesce(o.actor_id, r.actor_id),
      coalesce(o.edited_at, r.edited_at), o.prev_content, o.prev_rendered_content, coalesce(o.prev_topic, r.prev_topic),
      coalesce(o.topic, r.topic), o.prev_channel_id, o.channel_id
    from own o full join renames r on r.message_id = o.message_id and r.edit_id = o.edit_id;
end $$;

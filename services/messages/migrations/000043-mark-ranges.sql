-- The ranges of ids by which messages are marked, by conversation: each reaches back to the message before, between which and the marked one the
-- conversation has none, so what is marked one after the other becomes one range. Volatile: asked by a statement that has waited for the locks
-- of the conversations, it sees what was moved there meanwhile. In plpgsql its plan is kept by the connection.
create function mark_ranges(realm bigint, messages bigint[]) returns table (conversation_id bigint, ids int8multirange)
language plpgsql volatile rows 10 as $$
#variable_conflict use_column
begin
  return query
    select m.conversation_id, range_agg(int8range(coalesce((
      select p.id from message p
      where p.realm_id = realm and p.conversation_id = m.conversation_id and p.id < m.id order by p.id desc limit 1), 0) + 1,
      m.id + 1))
    from message m where m.realm_id = realm and m.id = any(messages)
    group by m.conversation_id order by m.conversation_id;
end $$;

-- The same as before (000038), with a plan that the connection keeps.
create or replace function flag_holders(realm bigint, message bigint) returns bigint[] language plpgsql volatile as $$
begin
  return array(
    select f.user_id from personal_flag f
    where f.realm_id = realm and f.message_id = message and f.is_historical order by f.user_id);
end $$;

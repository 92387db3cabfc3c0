-- The same as before (000050), of each conversation for its own messages only: with thousands of messages in hundreds of topics, all of them were
-- taken from the marks of each topic. Most users have no such marks: then the messages are not looked up.
create or replace function forget_marks(realm bigint, reader bigint, messages bigint[]) returns void language plpgsql volatile as $$
begin
  if exists (select from read_exception e where e.realm_id = realm and e.user_id = reader and e.unread <> '{}')
    or exists (select from read_exception e where e.realm_id = realm and e.user_id = reader and e.unpassed <> '{}')
  then
    update read_exception e set unread = e.unread - m.ids, unpassed = e.unpassed - m.ids
    from mark_ranges(realm, messages) m
    where e.realm_id = realm and e.user_id = reader and e.conversation_id = m.conversation_id and (e.unread <> '{}' or e.unpassed <> '{}');
  end if;
end $$;

-- Deletes a user's marks as unread on these messages, and what says that no watermark has passed them. Volatile: asked by a statement that has
-- waited for the lock on these marks, it deletes what was stored meanwhile.
create function forget_marks(realm bigint, reader bigint, messages bigint[]) returns void language plpgsql volatile as $$
declare
  known int8multirange := (select range_agg(int8range(id, id + 1)) from unnest(messages) as id);
begin
  update read_exception e set unread = e.unread - known, unpassed = e.unpassed - known
  where e.realm_id = realm and e.user_id = reader and (e.unread <> '{}' and e.unread && known or e.unpassed <> '{}' and e.unpassed && known);
end $$;

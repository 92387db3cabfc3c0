-- How often first messages of an organization's channels have changed: the sum of its rows. Whoever changes one announces that in the same
-- transaction, and so does a fill, so announcements count. Equal sums mean no change in between.
create table beginning_change (
  realm_id bigint not null,
  slot integer not null,
  changes bigint not null,
  primary key (realm_id, slot)
) with (fillfactor = 50);

-- In a row that no other running transaction has: none waits for another one's count, and rows are as few as transactions at once.
create function count_beginning_change() returns trigger language plpgsql as $$
declare
  own_slot integer := 0;
begin
  while not pg_try_advisory_xact_lock(hashtextextended('beginning_change ' || own_slot, new.realm_id)) loop
    own_slot := own_slot + 1;
  end loop;
  insert into beginning_change as c (realm_id, slot, changes) values (new.realm_id, own_slot, 1)
  on conflict (realm_id, slot) do update set changes = c.changes + 1;
  return null;
end $$;

create trigger count_beginning_change after insert on outbox for each row
  when (new.kind in ('channel.beginning-changed', 'messages.filled'))
  execute function count_beginning_change();

-- The first answer as it is kept in every service. Replicas of the version before know link_id and skipped alone: each is made of the other.
alter table request_key add column answer jsonb;

create function make_both_answers() returns trigger language plpgsql as $$
begin
  if (tg_op = 'INSERT' and new.answer is null) or (tg_op = 'UPDATE' and new.answer is not distinct from old.answer) then
    new.answer := jsonb_build_object('linkId', new.link_id, 'skipped', new.skipped);
  else
    new.link_id := (new.answer ->> 'linkId')::bigint;
    new.skipped := new.answer -> 'skipped';
  end if;
  return new;
end $$;

create trigger request_key_answers before insert or update on request_key for each row execute function make_both_answers();

-- What there is: the requests of one day.
insert into request_key select * from request_key
on conflict (realm_id, user_id, kind, key) do update set created_at = excluded.created_at;

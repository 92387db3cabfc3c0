-- The bots that POST /register shows to administrators are kept like the other lists of an organization. Accounts and the channels that bots name
-- are counted already.
do $$
declare
  counted record;
begin
  for counted in
    select source, change from unnest('{bot,bot_service}'::text[]) source, unnest('{insert,update,delete}'::text[]) change
  loop
    execute format(
      'create trigger %I after %s on %I referencing %s table as changed for each statement execute function count_list_change(%s)',
      'count_' || counted.change, counted.change, counted.source,
      case counted.change when 'delete' then 'old' else 'new' end, 'bots');
  end loop;
end $$;

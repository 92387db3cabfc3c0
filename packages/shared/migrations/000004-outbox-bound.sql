-- The outbox becomes a partitioned table, so that old rows are dropped with their partition. It takes three steps, which neither rewrite rows nor block
-- writers. This one declares the upper bound of the first partition, without reading rows. The distance leaves room until the last step.
do $$
begin
  execute format('alter table outbox add constraint outbox_bound check (id < %s) not valid',
    (select last_value + 2097152 from outbox_id_seq));
end
$$;

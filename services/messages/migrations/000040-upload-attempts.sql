-- Which attempt stored each of the parts that end at part_ends; empty, or none: one of the version before.
alter table attachment add column part_attempts text[] not null default '{}';

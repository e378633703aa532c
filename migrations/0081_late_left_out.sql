-- A late answer that the umpire leaves out. Private: it only ends the notices of it.
alter table late_inputs add column left_at timestamptz;
grant update (left_at) on late_inputs to matchbook_serve;

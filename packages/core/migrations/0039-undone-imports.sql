-- Set when undoing begins and when it has ended; in between it may have been interrupted.
alter table source.import
  add column undo_started_at timestamptz,
  add column undone_at timestamptz,
  -- The last finalized month that was revised.
  add column revised_to date;

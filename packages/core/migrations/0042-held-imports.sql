-- Set while an import waits for an operator, because its prices don't agree with what is known.
alter table source.import
  add column held_at timestamptz,
  add column held_reason text;

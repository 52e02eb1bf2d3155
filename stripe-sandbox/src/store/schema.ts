export const SCHEMA = `
create table if not exists objects (
  sequence integer primary key autoincrement,
  id text not null unique,
  object text not null,
  customer text,
  lookup text,
  due_at integer,
  body text not null,
  hidden text not null
) strict;
create index if not exists objects_by_kind on objects (object, sequence);
create index if not exists objects_by_customer on objects (object, customer, sequence);
create index if not exists objects_by_lookup on objects (object, lookup, sequence);
create index if not exists objects_due on objects (due_at, sequence) where due_at is not null;
create unique index if not exists invoices_by_pdf on objects (hidden ->> 'pdfToken') where object = 'invoice';

create table if not exists events (
  sequence integer primary key autoincrement,
  id text not null unique,
  body text not null,
  attempts integer not null default 0,
  next_attempt_at integer
) strict;
create index if not exists events_due on events (next_attempt_at, sequence) where next_attempt_at is not null;

create table if not exists answers (
  key text primary key,
  fingerprint text not null,
  status integer not null,
  body text not null,
  created_at integer not null
) strict;
create index if not exists answers_by_age on answers (created_at);

create table if not exists settings (name text primary key, value text not null) strict;
`

import { expect, test } from 'vitest'
import { lintMigration } from './migration-rules.ts'

const GOOD: [string, string][] = [
  [
    'a new table with everything',
    `create table market.note (id bigint primary key, set_number text not null references catalog.set, made_at timestamptz default clock_timestamp());
    create index note_by_set on market.note (set_number);
    alter table market.note add constraint short check (length(set_number) < 9);`,
  ],
  ['a column that may be null', 'alter table catalog.set add column packaging text;'],
  ['a column with a constant default', `alter table catalog.set add column packaging text not null default 'box';`],
  [
    'a check that is validated later',
    `alter table catalog.set add constraint packed check (packaging is not null) not valid;`,
  ],
  ['the validation', 'alter table catalog.set validate constraint packed;'],
  [
    'an index beside the traffic',
    `-- outside a transaction: it would lock the table
    create index concurrently set_by_theme on catalog.set (theme);`,
  ],
  [
    'a new function with bad words in its body',
    `create or replace function account.tidy() returns void language plpgsql as $$
    begin drop table catalog.set; create index x on catalog.set (theme); end $$;`,
  ],
  [
    'bad words in a comment and in a string',
    `-- drop table catalog.set; create index
    comment on table catalog.set is 'never drop table; create index x on y';`,
  ],
  [
    'a column taken away after its time',
    `-- contract: unused since 1.3
    alter table catalog.set drop column packaging;`,
  ],
]

test.each(GOOD)('fine: %s', (_name, sql) => expect(lintMigration(sql)).toEqual([]))

const BAD: [string, string, RegExp][] = [
  ['an index under lock', 'create index set_by_theme on catalog.set (theme);', /concurrently/],
  [
    'an index on a table named like a new one',
    'create table market.note (id int);\ncreate index x on market.note_old (id);',
    /concurrently/,
  ],
  ['concurrently in a transaction', 'create index concurrently set_by_theme on catalog.set (theme);', /first line/],
  [
    'two statements outside a transaction',
    `-- outside a transaction: index
    create index concurrently a on catalog.set (theme); create index concurrently b on catalog.set (title);`,
    /one statement/,
  ],
  [
    'a default that differs by row',
    'alter table account.api_key add column token uuid default gen_random_uuid();',
    /rewrites/,
  ],
  ['a serial column', 'alter table account.api_key add column n bigserial;', /rewrites/],
  ['a change of type', 'alter table catalog.set alter column pieces type bigint;', /rewrites/],
  ['a column that old inserts do not fill', 'alter table catalog.set add column packaging text not null;', /no value/],
  ['not null at once', 'alter table catalog.set alter column theme set not null;', /whole table/],
  ['a check at once', 'alter table catalog.set add constraint c check (pieces > 0);', /not valid/],
  [
    'a foreign key at once',
    'alter table portfolio.sale add constraint f foreign key (set_number) references catalog.set;',
    /not valid/,
  ],
  ['a unique constraint at once', 'alter table catalog.set add constraint u unique (title);', /using index/],
  ['a dropped column', 'alter table catalog.set drop column theme;', /contract:/],
  ['a dropped table', 'drop table market.set_value;', /contract:/],
  ['a renamed column', 'alter table catalog.set rename column theme to topic;', /contract:/],
  ['a right taken away', 'revoke select on catalog.set from brickmark_api;', /contract:/],
  ['an index dropped under lock', 'drop index catalog.set_by_theme;', /concurrently/],
  ['a lock by hand', 'lock table account.quota_day in access exclusive mode;', /locks a table/],
  ['its own time limit', `set local lock_timeout = '10s';`, /ops migrate/],
]

test.each(BAD)('refused: %s', (_name, sql, told) => {
  expect(lintMigration(sql).map(({ text }) => text)).toEqual([expect.stringMatching(told)])
})

test('the line of the statement is told', () => {
  expect(lintMigration('-- why\n\ncreate table x.y (id int);\n\ndrop table x.z;')).toEqual([
    { line: 5, text: expect.stringMatching(/contract/) },
  ])
})

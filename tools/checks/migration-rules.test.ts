import { expect, test } from 'vitest'
import { lintMigration } from './migration-rules.ts'

const GOOD: [string, string][] = [
  [
    'a new table with constraints, defaults and an index',
    `create table market.note (id bigint primary key, set_number text not null references catalog.set, made_at timestamptz default clock_timestamp());
    create index note_by_set on market.note (set_number);
    alter table market.note add constraint short check (length(set_number) < 9);`,
  ],
  ['a nullable column', 'alter table catalog.set add column packaging text;'],
  ['a column with a constant default', `alter table catalog.set add column packaging text not null default 'box';`],
  [
    'a check constraint that is not valid yet',
    `alter table catalog.set add constraint packed check (packaging is not null) not valid;`,
  ],
  ['validating a constraint', 'alter table catalog.set validate constraint packed;'],
  [
    'an index created concurrently',
    `-- outside a transaction: it would lock the table
    create index concurrently set_by_theme on catalog.set (theme);`,
  ],
  [
    'unsafe statements in a function body',
    `create or replace function account.tidy() returns void language plpgsql as $$
    begin drop table catalog.set; create index x on catalog.set (theme); end $$;`,
  ],
  [
    'unsafe statements in a comment and in a string',
    `-- drop table catalog.set; create index
    comment on table catalog.set is 'never drop table; create index x on y';`,
  ],
  [
    'dropping a column that is unused since an earlier release',
    `-- contract: unused since 1.3
    alter table catalog.set drop column packaging;`,
  ],
  [
    'a new function that only one role may execute',
    `create function market.share() returns float8 language sql as $$ select 1 $$;
    revoke execute on function market.share() from public;`,
  ],
  [
    'a privilege that is granted for the rest of the file',
    `grant create on schema market to brickmark_maintenance;
    revoke create on schema market from brickmark_maintenance;`,
  ],
]

test.each(GOOD)('accepts %s', (_name, sql) => expect(lintMigration(sql)).toEqual([]))

const BAD: [string, string, RegExp][] = [
  ['an index that is not created concurrently', 'create index set_by_theme on catalog.set (theme);', /concurrently/],
  [
    'an index on a table whose name starts like that of a new one',
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
  ['a volatile default', 'alter table account.api_key add column token uuid default gen_random_uuid();', /rewrites/],
  ['a serial column', 'alter table account.api_key add column n bigserial;', /rewrites/],
  ['a type change', 'alter table catalog.set alter column pieces type bigint;', /rewrites/],
  ['a not null column without default', 'alter table catalog.set add column packaging text not null;', /no value/],
  ['set not null', 'alter table catalog.set alter column theme set not null;', /whole table/],
  ['a validated check constraint', 'alter table catalog.set add constraint c check (pieces > 0);', /not valid/],
  [
    'a validated foreign key',
    'alter table portfolio.sale add constraint f foreign key (set_number) references catalog.set;',
    /not valid/,
  ],
  ['a unique constraint without index', 'alter table catalog.set add constraint u unique (title);', /using index/],
  ['a dropped column', 'alter table catalog.set drop column theme;', /contract:/],
  ['a dropped table', 'drop table market.set_value;', /contract:/],
  ['a renamed column', 'alter table catalog.set rename column theme to topic;', /contract:/],
  ['a revoked privilege', 'revoke select on catalog.set from brickmark_api;', /contract:/],
  [
    'a revoked privilege that another role is granted',
    `grant select on catalog.set to brickmark_web;
    revoke select on catalog.set from brickmark_api;`,
    /contract:/,
  ],
  [
    'a function of the previous release that fewer may execute',
    `create function market.share() returns float8 language sql as $$ select 1 $$;
    revoke execute on function market.sum() from public;`,
    /contract:/,
  ],
  ['an index that is not dropped concurrently', 'drop index catalog.set_by_theme;', /concurrently/],
  ['an explicit table lock', 'lock table account.api_key_quota in access exclusive mode;', /locks a table/],
  ['a custom lock timeout', `set local lock_timeout = '10s';`, /ops migrate/],
]

test.each(BAD)('rejects %s', (_name, sql, message) => {
  expect(lintMigration(sql).map(({ text }) => text)).toEqual([expect.stringMatching(message)])
})

test('reports the line of the statement', () => {
  expect(lintMigration('-- why\n\ncreate table x.y (id int);\n\ndrop table x.z;')).toEqual([
    { line: 5, text: expect.stringMatching(/contract/) },
  ])
})

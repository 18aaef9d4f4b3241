-- Which line of a platform's order a sale was imported from, so that the same line is known again. It goes with its sale.
create table portfolio.sale_order (
  account_id bigint not null,
  platform text not null,
  order_number text not null,
  line text not null,
  sale_id bigint not null,
  primary key (account_id, platform, order_number, line),
  foreign key (account_id, sale_id) references portfolio.sale on delete cascade
);
create index sale_order_by_sale on portfolio.sale_order (account_id, sale_id);

alter table portfolio.sale_order enable row level security;
alter table portfolio.sale_order force row level security;
create policy own on portfolio.sale_order to brickmark_web using (account_id = account.current_account_id());
grant select, insert, delete on portfolio.sale_order to brickmark_web;

-- What platforms keep of a sale: presets that everybody may overwrite. Money in cents, shares in basis points, each up to a bound.
insert into market.fee_schedule values
  ('ebay', '2023-02-15', '{"platform":"ebay","validFrom":"2023-02-15","source":"eBay, winter seller update 2023: most categories, without a store","shares":[{"upTo":null,"basisPoints":1325}],"minimum":0,"fixed":[{"upTo":null,"cents":30}]}'),
  ('ebay', '2024-03-15', '{"platform":"ebay","validFrom":"2024-03-15","source":"eBay, winter seller update 2024: $0.40 an order over $10; share for toys as noted in 2026, without a store","shares":[{"upTo":null,"basisPoints":1325}],"minimum":0,"fixed":[{"upTo":1000,"cents":30},{"upTo":null,"cents":40}]}'),
  ('bricklink', '2020-01-01', '{"platform":"bricklink","validFrom":"2020-01-01","source":"BrickLink, fees and billing policy as noted in 2026; the page names no first day","shares":[{"upTo":50000,"basisPoints":300},{"upTo":100000,"basisPoints":200},{"upTo":null,"basisPoints":100}],"minimum":0,"fixed":[]}'),
  ('amazon', '2026-01-15', '{"platform":"amazon","validFrom":"2026-01-15","source":"Referral fee for toys from a third party’s transcription, 2026; fulfilment is not in it","shares":[{"upTo":null,"basisPoints":1500}],"minimum":30,"fixed":[]}');

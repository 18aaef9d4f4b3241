-- What retailer_a adds to the fulfillment fee from mid-October to mid-January. It published the same increases for the
-- last two seasons; those known here are 0.19 to 0.22 for small standard, 0.20 up to 1 lb, 0.33 up to 2 lb and 0.41 up to
-- 3 lb of large standard, 1.04 for large bulky and 2.81 for extra large. For any other weight and tier the next higher one
-- applies, so that a net price is never too high.
update market.fee_schedule
   set schedule = schedule || '{"peaks":[{"from":"2026-10-15","to":"2027-01-14","increases":[
     {"tier":"small_standard","bands":[{"upToOunces":2,"cents":19},{"upToOunces":6,"cents":20},{"upToOunces":16,"cents":22}]},
     {"tier":"large_standard","bands":[{"upToOunces":16,"cents":20},{"upToOunces":32,"cents":33},{"upToOunces":48,"cents":41},{"upToOunces":320,"cents":104}]},
     {"tier":"small_bulky","bands":[{"upToOunces":800,"cents":104}]},
     {"tier":"large_bulky","bands":[{"upToOunces":800,"cents":104}]},
     {"tier":"extra_large_50_lb","bands":[{"upToOunces":800,"cents":281}]}]}]}'
 where platform = 'retailer_a' and valid_from = '2026-01-15';

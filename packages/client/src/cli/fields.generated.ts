// Generated from apps/api/openapi.json and extensions.openapi.json by `npm run generate`.

export const fields = {
  Set: ["set_number","title","theme","subtheme","pieces","minifigs_count","minifigs","barcodes.upc","barcodes.ean","msrp_usd","release_date","retire_date","status_id","data_tier","image_url","new_value_usd","used_value_usd","value_range.low","value_range.high","value_range.calculated_at","retailers","box.width_in","box.height_in","box.depth_in","box.weight_lbs"],
  Minifig: ["minifig_number","name","category","color","year_released","image_url","current_value_usd","value_range.low","value_range.high","set_count","sets"],
  SetSearchResult: ["set_number","title","theme","subtheme","pieces","year","retired","image_url"],
  MinifigSearchResult: ["minifig_number","name","category","year_released","image_url"],
  Theme: ["theme","set_count"],
  HistoryPoint: ["month","value_usd","range_low","range_high","sales_count","event"],
  RetailWatchRow: ["setNumber","name","asin","upc","ean","paid","retailer_a.price","retailer_a.sellerType","retailer_a.changedAt","retailer_a.lastChange","retailer_a.flip1pTo3p","retailer_a.atLowest","retailer_a.lowest","retailer_a.inStock","retailer_b.price","retailer_b.sellerType","retailer_b.changedAt","retailer_b.lastChange","retailer_b.flip1pTo3p","retailer_b.atLowest","retailer_b.lowest","retailer_b.inStock","retailer_aExit.lowestFba","retailer_aExit.fbaSellers","retailer_aExit.buyBox","retailer_aExit.netFba"],
  BrickfolioSummary: ["id","name","description","is_default","owned_set_count","owned_item_count","total_cost_basis_usd","total_current_value_usd","unrealized_gain_loss_usd","created_at"],
  MonthlyPeriod: ["month","entry_count","items","cost_basis_usd"],
  Holding: ["brickfolio_id","set_number","title","theme","quantity","condition","purchase_price_usd","purchase_date","status","current_value_usd","total_current_value_usd","unrealized_gain_loss_usd","unrealized_gain_loss_pct"],
  ValuePoint: ["date","total_value_usd","cost_basis_usd","gain_loss_usd","gain_loss_pct"],
  Sale: ["id","set_number","title","platform","sale_date","quantity","gross_proceeds_usd","platform_fees_usd","payment_fees_usd","shipping_cost_usd","net_proceeds_usd","profit_loss_usd","roi_pct"],
  Lot: ["id","collection_id","collection","set_number","title","quantity","condition","status","purchase_price_usd","purchase_date","notes","value_usd","total_value_usd","gain_usd","gain_pct"],
  Change: ["kind","item","number","changed_at"],
  UsageDay: ["date","credits","requests","failed","endpoints"],
  Alert: ["id","created_at","kind","item","number","title","retailer","reason","price_usd","value_usd","previous_usd","threshold_usd","threshold_pct","actual_pct","read"],
} as const

// Generated from apps/api/openapi.json by `npm run generate`.

export interface paths {
    "/set/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A set with its values
         * @description Catalog facts, computed values of sealed and used copies, and what the retailers ask now.
         *
         *     Costs 1 unit.
         */
        get: operations["getSet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minifig/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A minifig with its value
         * @description Catalog facts, the computed value and the sets in which it appears.
         *
         *     Costs 1 unit.
         */
        get: operations["getMinifig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalog/sets/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find sets by number or name
         * @description The exact number first, then numbers and names that begin with the query, then the rest. No values.
         *
         *     Costs 1 unit.
         */
        get: operations["searchSets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalog/minifigs/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find minifigs by number or name
         * @description The exact number first, then numbers and names that begin with the query, then the rest. No values.
         *
         *     Costs 1 unit.
         */
        get: operations["searchMinifigs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalog/themes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every theme
         * @description All themes A–Z with their number of sets. Not paginated.
         *
         *     Costs 1 unit.
         */
        get: operations["listThemes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalog/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Many sets and minifigs at once
         * @description Costs one unit for each different number, whether it is found or not. If fewer units are left than the batch costs, it is refused whole with 429 and costs nothing.
         *
         *     Costs 1 unit an item.
         */
        post: operations["getBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/set/{number}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Monthly values of a set
         * @description Finalized months, ascending. A month is final on the 8th of the next one and never changes again.
         *
         *     Costs 1 unit.
         */
        get: operations["getSetHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/set/{number}/retail-prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Live prices of a set
         * @description The prices at both retailers, or null when no retailer row exists. `paid` is there when you hold the set.
         *
         *     Costs 1 unit.
         */
        get: operations["getSetRetailPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/retail-prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Live prices by any identifier
         * @description Give at least one identifier; if several are given they must all mean the same set, otherwise the answer is null. Null also when nothing matches.
         *
         *     Costs 1 unit.
         */
        get: operations["findRetailPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brickfolio/retail-watch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Live prices of what you hold
         * @description One row for each set you hold that has a retailer row, by set number. All filters given must hold; with `changed_within` and `since` together the later cutoff counts.
         *
         *     Costs 1 unit.
         */
        get: operations["watchRetailPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brickfolio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your collections
         * @description Every collection of the key’s account with cost and value, the default one first.
         *
         *     Costs 1 unit.
         */
        get: operations["listBrickfolios"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brickfolio/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your portfolio over time
         * @description Totals, the best and the worst holding, and the value history. The past is computed from your purchases and sales: correct one and the history follows.
         *
         *     Costs 1 unit.
         */
        get: operations["getAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brickfolio/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your holdings, valued
         * @description Up to 250 holdings with their current value for one unit: the cheapest way to value a collection.
         *
         *     Costs 1 unit.
         */
        get: operations["listEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/salesledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your sales
         * @description Recorded sales with fees, net proceeds, profit and return, newest first.
         *
         *     Costs 1 unit.
         */
        get: operations["listSales"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description The portfolio now and how it came there.
         * @example {
         *       "period": "1y",
         *       "summary": {
         *         "total_sets": 41,
         *         "total_items": 96,
         *         "total_cost_basis_usd": 5210.4,
         *         "total_current_value_usd": 7944.15,
         *         "unrealized_gain_loss_usd": 2733.75,
         *         "unrealized_gain_loss_pct": 52.47,
         *         "top_gainer": {
         *           "set_number": "90001-1",
         *           "title": "Tidewater Lighthouse",
         *           "gain_pct": 74.26
         *         },
         *         "top_loser": {
         *           "set_number": "90042-1",
         *           "title": "Copper Canyon Crossing",
         *           "loss_pct": -12.5
         *         }
         *       },
         *       "value_history": [
         *         {
         *           "date": "2026-06-27",
         *           "total_value_usd": 7944.15,
         *           "cost_basis_usd": 5210.4,
         *           "gain_loss_usd": 2733.75,
         *           "gain_loss_pct": 52.47
         *         }
         *       ]
         *     }
         */
        Analytics: {
            /**
             * @description The period asked for.
             * @example 1y
             * @enum {string}
             */
            period: "30d" | "90d" | "1y";
            summary: components["schemas"]["AnalyticsSummary"];
            /**
             * @description Ascending; the last point is now.
             * @example [
             *       {
             *         "date": "2026-06-27",
             *         "total_value_usd": 7944.15,
             *         "cost_basis_usd": 5210.4,
             *         "gain_loss_usd": 2733.75,
             *         "gain_loss_pct": 52.47
             *       }
             *     ]
             */
            value_history: components["schemas"]["ValuePoint"][];
        };
        /**
         * @description What is held now, over all collections.
         * @example {
         *       "total_sets": 41,
         *       "total_items": 96,
         *       "total_cost_basis_usd": 5210.4,
         *       "total_current_value_usd": 7944.15,
         *       "unrealized_gain_loss_usd": 2733.75,
         *       "unrealized_gain_loss_pct": 52.47,
         *       "top_gainer": {
         *         "set_number": "90001-1",
         *         "title": "Tidewater Lighthouse",
         *         "gain_pct": 74.26
         *       },
         *       "top_loser": {
         *         "set_number": "90042-1",
         *         "title": "Copper Canyon Crossing",
         *         "loss_pct": -12.5
         *       }
         *     }
         */
        AnalyticsSummary: {
            /**
             * @description Distinct sets held.
             * @example 41
             */
            total_sets: number;
            /**
             * @description Units held.
             * @example 96
             */
            total_items: number;
            /**
             * @description Known cost of the units held. Units without a value are left out.
             * @example 5210.4
             */
            total_cost_basis_usd: number;
            /**
             * @description Known value of the units held.
             * @example 7944.15
             */
            total_current_value_usd: number;
            /**
             * @description Value less cost of the units whose value and cost are known.
             * @example 2733.75
             */
            unrealized_gain_loss_usd: number;
            /**
             * @description Gain in percent of the cost; 0 when there is no cost.
             * @example 52.47
             */
            unrealized_gain_loss_pct: number;
            /**
             * @example {
             *       "set_number": "90001-1",
             *       "title": "Tidewater Lighthouse",
             *       "gain_pct": 74.26
             *     }
             */
            top_gainer: components["schemas"]["TopGainer"] | null;
            /**
             * @example {
             *       "set_number": "90042-1",
             *       "title": "Copper Canyon Crossing",
             *       "loss_pct": -12.5
             *     }
             */
            top_loser: components["schemas"]["TopLoser"] | null;
        };
        /**
         * @description The codes on the box.
         * @example {
         *       "upc": "036000291452",
         *       "ean": "0036000291452"
         *     }
         */
        Barcodes: {
            /**
             * @description UPC, 12 digits.
             * @example 036000291452
             */
            upc: string | null;
            /**
             * @description EAN, 13 digits.
             * @example 0036000291452
             */
            ean: string | null;
        };
        /**
         * @description The items of a batch.
         * @example {
         *       "sets": [
         *         {
         *           "set_number": "90001-1",
         *           "title": "Tidewater Lighthouse",
         *           "theme": "Harbor",
         *           "subtheme": "Coast",
         *           "pieces": 812,
         *           "minifigs_count": 4,
         *           "minifigs": [
         *             "hbr001",
         *             "hbr002"
         *           ],
         *           "barcodes": {
         *             "upc": "036000291452",
         *             "ean": "0036000291452"
         *           },
         *           "msrp_usd": 89.99,
         *           "release_date": "2023-03-01",
         *           "retire_date": "2024-12-31",
         *           "status_id": 4,
         *           "data_tier": "market",
         *           "image_url": "https://images.brickmark.example/sets/90001-1.png",
         *           "new_value_usd": 112.4,
         *           "used_value_usd": 71.1,
         *           "value_range": {
         *             "low": 96.2,
         *             "high": 131.5,
         *             "calculated_at": "2026-06-27T03:10:00.000Z"
         *           },
         *           "retailers": [
         *             {
         *               "retailer": "retailer_a",
         *               "retailer_name": "Retailer A",
         *               "current_price": 79.99,
         *               "list_price": 99.99,
         *               "discount_percent": 20,
         *               "in_stock": true,
         *               "is_first_party": true,
         *               "product_url": "https://retailer-a.example/dp/B0ABCD1234",
         *               "last_checked_at": "2026-06-27T14:05:00.000Z"
         *             }
         *           ],
         *           "box": {
         *             "width_in": 18.9,
         *             "height_in": 14.9,
         *             "depth_in": 3.6,
         *             "weight_lbs": 3.4
         *           },
         *           "found": true
         *         }
         *       ],
         *       "minifigs": [
         *         {
         *           "minifig_number": "hbr001",
         *           "name": "Lighthouse Keeper",
         *           "category": "Harbor",
         *           "color": "Dark Blue",
         *           "year_released": 2023,
         *           "image_url": "https://images.brickmark.example/minifigs/hbr001.png",
         *           "current_value_usd": 6.8,
         *           "value_range": {
         *             "low": 5.1,
         *             "high": 9.05
         *           },
         *           "set_count": 1,
         *           "sets": [
         *             "90001-1"
         *           ],
         *           "found": true
         *         }
         *       ],
         *       "summary": {
         *         "requested": 2,
         *         "found": 2
         *       }
         *     }
         */
        BatchData: {
            /**
             * @description In order of first appearance.
             * @example [
             *       {
             *         "set_number": "90001-1",
             *         "title": "Tidewater Lighthouse",
             *         "theme": "Harbor",
             *         "subtheme": "Coast",
             *         "pieces": 812,
             *         "minifigs_count": 4,
             *         "minifigs": [
             *           "hbr001",
             *           "hbr002"
             *         ],
             *         "barcodes": {
             *           "upc": "036000291452",
             *           "ean": "0036000291452"
             *         },
             *         "msrp_usd": 89.99,
             *         "release_date": "2023-03-01",
             *         "retire_date": "2024-12-31",
             *         "status_id": 4,
             *         "data_tier": "market",
             *         "image_url": "https://images.brickmark.example/sets/90001-1.png",
             *         "new_value_usd": 112.4,
             *         "used_value_usd": 71.1,
             *         "value_range": {
             *           "low": 96.2,
             *           "high": 131.5,
             *           "calculated_at": "2026-06-27T03:10:00.000Z"
             *         },
             *         "retailers": [
             *           {
             *             "retailer": "retailer_a",
             *             "retailer_name": "Retailer A",
             *             "current_price": 79.99,
             *             "list_price": 99.99,
             *             "discount_percent": 20,
             *             "in_stock": true,
             *             "is_first_party": true,
             *             "product_url": "https://retailer-a.example/dp/B0ABCD1234",
             *             "last_checked_at": "2026-06-27T14:05:00.000Z"
             *           }
             *         ],
             *         "box": {
             *           "width_in": 18.9,
             *           "height_in": 14.9,
             *           "depth_in": 3.6,
             *           "weight_lbs": 3.4
             *         },
             *         "found": true
             *       }
             *     ]
             */
            sets: (components["schemas"]["FoundSet"] | components["schemas"]["MissingSet"])[];
            /**
             * @description In order of first appearance.
             * @example [
             *       {
             *         "minifig_number": "hbr001",
             *         "name": "Lighthouse Keeper",
             *         "category": "Harbor",
             *         "color": "Dark Blue",
             *         "year_released": 2023,
             *         "image_url": "https://images.brickmark.example/minifigs/hbr001.png",
             *         "current_value_usd": 6.8,
             *         "value_range": {
             *           "low": 5.1,
             *           "high": 9.05
             *         },
             *         "set_count": 1,
             *         "sets": [
             *           "90001-1"
             *         ],
             *         "found": true
             *       }
             *     ]
             */
            minifigs: (components["schemas"]["FoundMinifig"] | components["schemas"]["MissingMinifig"])[];
            summary: components["schemas"]["BatchSummary"];
        };
        /**
         * @description At least one number; at most 100 different ones in all.
         * @example {
         *       "sets": [
         *         "90001-1",
         *         "90002-1"
         *       ],
         *       "minifigs": [
         *         "hbr001"
         *       ]
         *     }
         */
        BatchRequest: {
            /**
             * @description Set numbers.
             * @default []
             * @example [
             *       "90001-1",
             *       "90002-1"
             *     ]
             */
            sets?: string[];
            /**
             * @description Minifig numbers.
             * @default []
             * @example [
             *       "hbr001"
             *     ]
             */
            minifigs?: string[];
        };
        /**
         * @description What was asked for and what was found.
         * @example {
         *       "requested": 2,
         *       "found": 2
         *     }
         */
        BatchSummary: {
            /**
             * @description Different numbers asked for.
             * @example 2
             */
            requested: number;
            /**
             * @description How many of them exist.
             * @example 2
             */
            found: number;
        };
        /**
         * @description Size and weight of the box.
         * @example {
         *       "width_in": 18.9,
         *       "height_in": 14.9,
         *       "depth_in": 3.6,
         *       "weight_lbs": 3.4
         *     }
         */
        Box: {
            /**
             * @description Width in inches.
             * @example 18.9
             */
            width_in: number | null;
            /**
             * @description Height in inches.
             * @example 14.9
             */
            height_in: number | null;
            /**
             * @description Depth in inches.
             * @example 3.6
             */
            depth_in: number | null;
            /**
             * @description Weight in pounds.
             * @example 3.4
             */
            weight_lbs: number | null;
        };
        /**
         * @description A collection and what it is worth now.
         * @example {
         *       "id": 7,
         *       "name": "Sealed stock",
         *       "description": "Shelf A to F",
         *       "is_default": true,
         *       "owned_set_count": 41,
         *       "owned_item_count": 96,
         *       "total_cost_basis_usd": 5210.4,
         *       "total_current_value_usd": 7944.15,
         *       "unrealized_gain_loss_usd": 2733.75,
         *       "created_at": "2024-01-10T18:20:11.000Z"
         *     }
         */
        BrickfolioSummary: {
            /**
             * @description Identifier of the collection.
             * @example 7
             */
            id: number;
            /**
             * @description Name.
             * @example Sealed stock
             */
            name: string;
            /**
             * @description Description.
             * @example Shelf A to F
             */
            description: string | null;
            /**
             * @description Whether new holdings go here.
             * @example true
             */
            is_default: boolean;
            /**
             * @description Distinct sets held.
             * @example 41
             */
            owned_set_count: number;
            /**
             * @description Units held.
             * @example 96
             */
            owned_item_count: number;
            /**
             * @description Known cost of the units held. Units without a value are left out.
             * @example 5210.4
             */
            total_cost_basis_usd: number;
            /**
             * @description Known value of the units held.
             * @example 7944.15
             */
            total_current_value_usd: number;
            /**
             * @description Value less cost of the units whose value and cost are known.
             * @example 2733.75
             */
            unrealized_gain_loss_usd: number;
            /**
             * Format: date-time
             * @description When the collection was made.
             * @example 2024-01-10T18:20:11.000Z
             */
            created_at: string;
        };
        /**
         * @description Collections, and what is held by month of purchase.
         * @example {
         *       "brickfolios": [
         *         {
         *           "id": 7,
         *           "name": "Sealed stock",
         *           "description": "Shelf A to F",
         *           "is_default": true,
         *           "owned_set_count": 41,
         *           "owned_item_count": 96,
         *           "total_cost_basis_usd": 5210.4,
         *           "total_current_value_usd": 7944.15,
         *           "unrealized_gain_loss_usd": 2733.75,
         *           "created_at": "2024-01-10T18:20:11.000Z"
         *         }
         *       ],
         *       "monthly_periods": [
         *         {
         *           "month": "2024-01",
         *           "entry_count": 3,
         *           "items": 5,
         *           "cost_basis_usd": 322.5
         *         }
         *       ]
         *     }
         */
        BrickfoliosData: {
            /**
             * @description The default one first, then by id.
             * @example [
             *       {
             *         "id": 7,
             *         "name": "Sealed stock",
             *         "description": "Shelf A to F",
             *         "is_default": true,
             *         "owned_set_count": 41,
             *         "owned_item_count": 96,
             *         "total_cost_basis_usd": 5210.4,
             *         "total_current_value_usd": 7944.15,
             *         "unrealized_gain_loss_usd": 2733.75,
             *         "created_at": "2024-01-10T18:20:11.000Z"
             *       }
             *     ]
             */
            brickfolios: components["schemas"]["BrickfolioSummary"][];
            /**
             * @description Ascending by month.
             * @example [
             *       {
             *         "month": "2024-01",
             *         "entry_count": 3,
             *         "items": 5,
             *         "cost_basis_usd": 322.5
             *       }
             *     ]
             */
            monthly_periods: components["schemas"]["MonthlyPeriod"][];
        };
        /**
         * @description One page of holdings.
         * @example {
         *       "entries": [
         *         {
         *           "brickfolio_id": 7,
         *           "set_number": "90001-1",
         *           "title": "Tidewater Lighthouse",
         *           "theme": "Harbor",
         *           "quantity": 2,
         *           "condition": "sealed",
         *           "purchase_price_usd": 64.5,
         *           "purchase_date": "2024-01-14",
         *           "status": "owned",
         *           "current_value_usd": 112.4,
         *           "total_current_value_usd": 224.8,
         *           "unrealized_gain_loss_usd": 95.8,
         *           "unrealized_gain_loss_pct": 74.26
         *         }
         *       ],
         *       "pagination": {
         *         "total": 132,
         *         "limit": 50,
         *         "offset": 0,
         *         "has_more": true
         *       }
         *     }
         */
        EntriesData: {
            /**
             * @description By collection, then in the order they were recorded.
             * @example [
             *       {
             *         "brickfolio_id": 7,
             *         "set_number": "90001-1",
             *         "title": "Tidewater Lighthouse",
             *         "theme": "Harbor",
             *         "quantity": 2,
             *         "condition": "sealed",
             *         "purchase_price_usd": 64.5,
             *         "purchase_date": "2024-01-14",
             *         "status": "owned",
             *         "current_value_usd": 112.4,
             *         "total_current_value_usd": 224.8,
             *         "unrealized_gain_loss_usd": 95.8,
             *         "unrealized_gain_loss_pct": 74.26
             *       }
             *     ]
             */
            entries: components["schemas"]["Holding"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description A minifig that exists.
         * @example {
         *       "minifig_number": "hbr001",
         *       "name": "Lighthouse Keeper",
         *       "category": "Harbor",
         *       "color": "Dark Blue",
         *       "year_released": 2023,
         *       "image_url": "https://images.brickmark.example/minifigs/hbr001.png",
         *       "current_value_usd": 6.8,
         *       "value_range": {
         *         "low": 5.1,
         *         "high": 9.05
         *       },
         *       "set_count": 1,
         *       "sets": [
         *         "90001-1"
         *       ],
         *       "found": true
         *     }
         */
        FoundMinifig: {
            /**
             * @description Number in a third-party marketplace catalog.
             * @example hbr001
             */
            minifig_number: string;
            /**
             * @description Name.
             * @example Lighthouse Keeper
             */
            name: string;
            /**
             * @description Category.
             * @example Harbor
             */
            category: string | null;
            /**
             * @description Main colour; left out when it is not known.
             * @example Dark Blue
             */
            color?: string;
            /**
             * @description Year of the first release.
             * @example 2023
             */
            year_released: number | null;
            /**
             * @description Picture.
             * @example https://images.brickmark.example/minifigs/hbr001.png
             */
            image_url: string | null;
            /**
             * @description Computed market value.
             * @example 6.8
             */
            current_value_usd: number | null;
            value_range: components["schemas"]["MinifigValueRange"];
            /**
             * @description In how many sets it appears.
             * @example 1
             */
            set_count: number;
            /**
             * @description Numbers of those sets.
             * @example [
             *       "90001-1"
             *     ]
             */
            sets: string[];
            /**
             * @description Whether it exists.
             * @example true
             * @constant
             */
            found: true;
        };
        /**
         * @description A set that exists.
         * @example {
         *       "set_number": "90001-1",
         *       "title": "Tidewater Lighthouse",
         *       "theme": "Harbor",
         *       "subtheme": "Coast",
         *       "pieces": 812,
         *       "minifigs_count": 4,
         *       "minifigs": [
         *         "hbr001",
         *         "hbr002"
         *       ],
         *       "barcodes": {
         *         "upc": "036000291452",
         *         "ean": "0036000291452"
         *       },
         *       "msrp_usd": 89.99,
         *       "release_date": "2023-03-01",
         *       "retire_date": "2024-12-31",
         *       "status_id": 4,
         *       "data_tier": "market",
         *       "image_url": "https://images.brickmark.example/sets/90001-1.png",
         *       "new_value_usd": 112.4,
         *       "used_value_usd": 71.1,
         *       "value_range": {
         *         "low": 96.2,
         *         "high": 131.5,
         *         "calculated_at": "2026-06-27T03:10:00.000Z"
         *       },
         *       "retailers": [
         *         {
         *           "retailer": "retailer_a",
         *           "retailer_name": "Retailer A",
         *           "current_price": 79.99,
         *           "list_price": 99.99,
         *           "discount_percent": 20,
         *           "in_stock": true,
         *           "is_first_party": true,
         *           "product_url": "https://retailer-a.example/dp/B0ABCD1234",
         *           "last_checked_at": "2026-06-27T14:05:00.000Z"
         *         }
         *       ],
         *       "box": {
         *         "width_in": 18.9,
         *         "height_in": 14.9,
         *         "depth_in": 3.6,
         *         "weight_lbs": 3.4
         *       },
         *       "found": true
         *     }
         */
        FoundSet: {
            /**
             * @description Canonical set number.
             * @example 90001-1
             */
            set_number: string;
            /**
             * @description Title.
             * @example Tidewater Lighthouse
             */
            title: string;
            /**
             * @description Theme.
             * @example Harbor
             */
            theme: string;
            /**
             * @description Subtheme.
             * @example Coast
             */
            subtheme: string | null;
            /**
             * @description Number of pieces.
             * @example 812
             */
            pieces: number | null;
            /**
             * @description Number of minifigs in the box, duplicates counted.
             * @example 4
             */
            minifigs_count: number;
            /**
             * @description Numbers of the distinct minifigs.
             * @example [
             *       "hbr001",
             *       "hbr002"
             *     ]
             */
            minifigs: string[];
            barcodes: components["schemas"]["Barcodes"];
            /**
             * @description Recommended retail price.
             * @example 89.99
             */
            msrp_usd: number | null;
            /**
             * @description First day on the shelves.
             * @example 2023-03-01
             */
            release_date: string | null;
            /**
             * @description The day on which it was retired; null while it is not.
             * @example 2024-12-31
             */
            retire_date: string | null;
            /**
             * @description 1 upcoming, 2 available, 3 retiring soon, 4 retired.
             * @example 4
             */
            status_id: number;
            /**
             * @description How well the value is founded: `market`, `thin`, `modelled` or `none`. An open list: expect new words.
             * @example market
             */
            data_tier: string;
            /**
             * @description Picture of the set.
             * @example https://images.brickmark.example/sets/90001-1.png
             */
            image_url: string | null;
            /**
             * @description Computed value of a sealed copy.
             * @example 112.4
             */
            new_value_usd: number | null;
            /**
             * @description Computed value of a used copy.
             * @example 71.1
             */
            used_value_usd: number | null;
            value_range: components["schemas"]["ValueRange"];
            /**
             * @description What the retailers ask now.
             * @example [
             *       {
             *         "retailer": "retailer_a",
             *         "retailer_name": "Retailer A",
             *         "current_price": 79.99,
             *         "list_price": 99.99,
             *         "discount_percent": 20,
             *         "in_stock": true,
             *         "is_first_party": true,
             *         "product_url": "https://retailer-a.example/dp/B0ABCD1234",
             *         "last_checked_at": "2026-06-27T14:05:00.000Z"
             *       }
             *     ]
             */
            retailers: components["schemas"]["RetailerSummary"][];
            box: components["schemas"]["Box"];
            /**
             * @description Whether it exists.
             * @example true
             * @constant
             */
            found: true;
        };
        /**
         * @description One finalized month. It never changes again.
         * @example {
         *       "month": "2026-05",
         *       "value_usd": 110.25,
         *       "range_low": 95.4,
         *       "range_high": 127.3,
         *       "sales_count": 14,
         *       "event": null
         *     }
         */
        HistoryPoint: {
            /**
             * @description Year and month.
             * @example 2026-05
             */
            month: string;
            /**
             * @description Value at the end of the month; null when too few sales told it.
             * @example 110.25
             */
            value_usd: number | null;
            /**
             * @description Lower end of the 80 % range; null in a month of few sales.
             * @example 95.4
             */
            range_low: number | null;
            /**
             * @description Upper end of the 80 % range; null in a month of few sales.
             * @example 127.3
             */
            range_high: number | null;
            /**
             * @description Units sold; null in a month of few sales.
             * @example 14
             */
            sales_count: number | null;
            /**
             * @description What happened to the set that month: `released`, `retiring_soon`, `retired`, `rereleased`, or null.
             * @example null
             */
            event: string | null;
        };
        /**
         * @description Units of a set bought together and held now. Without a value, the last four are null; without a price, the last two.
         * @example {
         *       "brickfolio_id": 7,
         *       "set_number": "90001-1",
         *       "title": "Tidewater Lighthouse",
         *       "theme": "Harbor",
         *       "quantity": 2,
         *       "condition": "sealed",
         *       "purchase_price_usd": 64.5,
         *       "purchase_date": "2024-01-14",
         *       "status": "owned",
         *       "current_value_usd": 112.4,
         *       "total_current_value_usd": 224.8,
         *       "unrealized_gain_loss_usd": 95.8,
         *       "unrealized_gain_loss_pct": 74.26
         *     }
         */
        Holding: {
            /**
             * @description Collection it belongs to.
             * @example 7
             */
            brickfolio_id: number;
            /**
             * @description Set number.
             * @example 90001-1
             */
            set_number: string;
            /**
             * @description Title of the set.
             * @example Tidewater Lighthouse
             */
            title: string;
            /**
             * @description Theme of the set.
             * @example Harbor
             */
            theme: string;
            /**
             * @description Units held.
             * @example 2
             */
            quantity: number;
            /**
             * @description `sealed` or `used`.
             * @example sealed
             */
            condition: string;
            /**
             * @description Price paid a unit; 0 for a gift. Left out if unknown.
             * @example 64.5
             */
            purchase_price_usd?: number;
            /**
             * Format: date
             * @description Day of the purchase. Left out if unknown.
             * @example 2024-01-14
             */
            purchase_date?: string;
            /**
             * @description `owned`, or `listed` while it is offered for sale.
             * @example owned
             */
            status: string;
            /**
             * @description Computed value of a unit; null when there is none.
             * @example 112.4
             */
            current_value_usd: number | null;
            /**
             * @description Quantity times value.
             * @example 224.8
             */
            total_current_value_usd: number | null;
            /**
             * @description Value less cost.
             * @example 95.8
             */
            unrealized_gain_loss_usd: number | null;
            /**
             * @description Gain in percent of the cost; 0 for a gift.
             * @example 74.26
             */
            unrealized_gain_loss_pct: number | null;
        };
        /**
         * @description About this answer.
         * @example {
         *       "request_id": "7f8a4c1e-2f4b-4c53-9a55-0c2b8a8f4d11",
         *       "api_version": "1",
         *       "rate_limit": {
         *         "limit": 1000,
         *         "remaining": 987,
         *         "reset": "2026-06-28T00:00:00.000Z"
         *       }
         *     }
         */
        Meta: {
            /**
             * Format: uuid
             * @description Name of this request; also in `X-Request-Id`.
             * @example 7f8a4c1e-2f4b-4c53-9a55-0c2b8a8f4d11
             */
            request_id: string;
            /**
             * @description Version of the contract.
             * @example 1
             * @constant
             */
            api_version: "1";
            rate_limit: components["schemas"]["RateLimit"];
        };
        /**
         * @description A minifig with its computed market value. Unknown is null.
         * @example {
         *       "minifig_number": "hbr001",
         *       "name": "Lighthouse Keeper",
         *       "category": "Harbor",
         *       "color": "Dark Blue",
         *       "year_released": 2023,
         *       "image_url": "https://images.brickmark.example/minifigs/hbr001.png",
         *       "current_value_usd": 6.8,
         *       "value_range": {
         *         "low": 5.1,
         *         "high": 9.05
         *       },
         *       "set_count": 1,
         *       "sets": [
         *         "90001-1"
         *       ]
         *     }
         */
        Minifig: {
            /**
             * @description Number in a third-party marketplace catalog.
             * @example hbr001
             */
            minifig_number: string;
            /**
             * @description Name.
             * @example Lighthouse Keeper
             */
            name: string;
            /**
             * @description Category.
             * @example Harbor
             */
            category: string | null;
            /**
             * @description Main colour; left out when it is not known.
             * @example Dark Blue
             */
            color?: string;
            /**
             * @description Year of the first release.
             * @example 2023
             */
            year_released: number | null;
            /**
             * @description Picture.
             * @example https://images.brickmark.example/minifigs/hbr001.png
             */
            image_url: string | null;
            /**
             * @description Computed market value.
             * @example 6.8
             */
            current_value_usd: number | null;
            value_range: components["schemas"]["MinifigValueRange"];
            /**
             * @description In how many sets it appears.
             * @example 1
             */
            set_count: number;
            /**
             * @description Numbers of those sets.
             * @example [
             *       "90001-1"
             *     ]
             */
            sets: string[];
        };
        /**
         * @description One page of minifigs.
         * @example {
         *       "results": [
         *         {
         *           "minifig_number": "hbr001",
         *           "name": "Lighthouse Keeper",
         *           "category": "Harbor",
         *           "year_released": 2023,
         *           "image_url": "https://images.brickmark.example/minifigs/hbr001.png"
         *         }
         *       ],
         *       "pagination": {
         *         "total": 132,
         *         "limit": 50,
         *         "offset": 0,
         *         "has_more": true
         *       }
         *     }
         */
        MinifigSearchData: {
            /**
             * @description The best match first.
             * @example [
             *       {
             *         "minifig_number": "hbr001",
             *         "name": "Lighthouse Keeper",
             *         "category": "Harbor",
             *         "year_released": 2023,
             *         "image_url": "https://images.brickmark.example/minifigs/hbr001.png"
             *       }
             *     ]
             */
            results: components["schemas"]["MinifigSearchResult"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description What identifies a minifig. Its value comes from `GET /minifig/{number}`.
         * @example {
         *       "minifig_number": "hbr001",
         *       "name": "Lighthouse Keeper",
         *       "category": "Harbor",
         *       "year_released": 2023,
         *       "image_url": "https://images.brickmark.example/minifigs/hbr001.png"
         *     }
         */
        MinifigSearchResult: {
            /**
             * @description Number in a third-party marketplace catalog.
             * @example hbr001
             */
            minifig_number: string;
            /**
             * @description Name.
             * @example Lighthouse Keeper
             */
            name: string;
            /**
             * @description Category.
             * @example Harbor
             */
            category: string | null;
            /**
             * @description Year of the first release.
             * @example 2023
             */
            year_released: number | null;
            /**
             * @description Picture.
             * @example https://images.brickmark.example/minifigs/hbr001.png
             */
            image_url: string | null;
        };
        /**
         * @description Where the next sale is expected to lie, with 80 % probability.
         * @example {
         *       "low": 5.1,
         *       "high": 9.05
         *     }
         */
        MinifigValueRange: {
            /**
             * @description Lower end.
             * @example 5.1
             */
            low: number | null;
            /**
             * @description Upper end.
             * @example 9.05
             */
            high: number | null;
        };
        /**
         * @description A minifig that does not exist.
         * @example {
         *       "minifig_number": "xyz9",
         *       "found": false
         *     }
         */
        MissingMinifig: {
            /**
             * @description The number as asked for.
             * @example xyz9
             */
            minifig_number: string;
            /**
             * @description Whether it exists.
             * @example false
             * @constant
             */
            found: false;
        };
        /**
         * @description A set that does not exist.
         * @example {
         *       "set_number": "1",
         *       "found": false
         *     }
         */
        MissingSet: {
            /**
             * @description The number as asked for.
             * @example 1
             */
            set_number: string;
            /**
             * @description Whether it exists.
             * @example false
             * @constant
             */
            found: false;
        };
        /**
         * @description What is held now, by month of purchase, over all collections. Purchases of an unknown date are left out.
         * @example {
         *       "month": "2024-01",
         *       "entry_count": 3,
         *       "items": 5,
         *       "cost_basis_usd": 322.5
         *     }
         */
        MonthlyPeriod: {
            /**
             * @description Year and month of purchase.
             * @example 2024-01
             */
            month: string;
            /**
             * @description Purchases of that month that are still held.
             * @example 3
             */
            entry_count: number;
            /**
             * @description Units of them.
             * @example 5
             */
            items: number;
            /**
             * @description Known cost, including units without a value; null if no cost is known.
             * @example 322.5
             */
            cost_basis_usd: number | null;
        };
        /**
         * @description Where this page lies in the whole list.
         * @example {
         *       "total": 132,
         *       "limit": 50,
         *       "offset": 0,
         *       "has_more": true
         *     }
         */
        Pagination: {
            /**
             * @description How many there are in all.
             * @example 132
             */
            total: number;
            /**
             * @description How many were asked for.
             * @example 50
             */
            limit: number;
            /**
             * @description How many were skipped.
             * @example 0
             */
            offset: number;
            /**
             * @description Whether a next page exists: ask again with `offset` + `limit`.
             * @example true
             */
            has_more: boolean;
        };
        /**
         * @description The price of a set at one retailer, and how it moved.
         * @example {
         *       "price": 79.99,
         *       "sellerType": "retailer",
         *       "changedAt": "2026-06-27T09:30:00.000Z",
         *       "lastChange": -5,
         *       "flip1pTo3p": false,
         *       "atLowest": true,
         *       "lowest": 79.99,
         *       "inStock": true
         *     }
         */
        PriceBlock: {
            /**
             * @description Price now; null while it is out of stock or not known.
             * @example 79.99
             */
            price: number | null;
            /**
             * @description Who sells: `retailer` (the retailer itself) or `third_party` (only others). An open list.
             * @example retailer
             */
            sellerType: string | null;
            /**
             * @description Since when the last known price holds; null before the first change.
             * @example 2026-06-27T09:30:00.000Z
             */
            changedAt: string | null;
            /**
             * @description The last known price minus the one before.
             * @example -5
             */
            lastChange: number | null;
            /**
             * @description The retailer stopped selling it itself, and others still do.
             * @example false
             */
            flip1pTo3p: boolean;
            /**
             * @description Whether `price` equals `lowest`.
             * @example true
             */
            atLowest: boolean;
            /**
             * @description The lowest price since tracking began.
             * @example 79.99
             */
            lowest: number | null;
            /**
             * @description Whether it can be bought now.
             * @example true
             */
            inStock: boolean | null;
        };
        /**
         * @description What is left of the day.
         * @example {
         *       "limit": 1000,
         *       "remaining": 987,
         *       "reset": "2026-06-28T00:00:00.000Z"
         *     }
         */
        RateLimit: {
            /**
             * @description Daily allowance of the key.
             * @example 1000
             */
            limit: number;
            /**
             * @description Units left before the reset.
             * @example 987
             */
            remaining: number;
            /**
             * Format: date-time
             * @description When the allowance resets: the next midnight UTC.
             * @example 2026-06-28T00:00:00.000Z
             */
            reset: string;
        };
        /**
         * @description What selling the set at retailer_a would bring. Unknown fields are left out.
         * @example {
         *       "lowestFba": 94.5,
         *       "fbaSellers": 7,
         *       "buyBox": 96,
         *       "netFba": 71.36
         *     }
         */
        RetailExit: {
            /**
             * @description Lowest offer fulfilled by the retailer.
             * @example 94.5
             */
            lowestFba?: number;
            /**
             * @description How many sellers offer so; 0 if none does.
             * @example 7
             */
            fbaSellers?: number;
            /**
             * @description Price in the buy box.
             * @example 96
             */
            buyBox?: number;
            /**
             * @description What would be left after referral and fulfilment fees.
             * @example 71.36
             */
            netFba?: number;
        };
        /**
         * @description Live prices of one set at both retailers.
         * @example {
         *       "setNumber": "90001-1",
         *       "name": "Tidewater Lighthouse",
         *       "asin": "B0ABCD1234",
         *       "upc": "036000291452",
         *       "ean": "0036000291452",
         *       "paid": 64.5,
         *       "retailer_a": {
         *         "price": 79.99,
         *         "sellerType": "retailer",
         *         "changedAt": "2026-06-27T09:30:00.000Z",
         *         "lastChange": -5,
         *         "flip1pTo3p": false,
         *         "atLowest": true,
         *         "lowest": 79.99,
         *         "inStock": true
         *       },
         *       "retailer_b": {
         *         "price": 79.99,
         *         "sellerType": "retailer",
         *         "changedAt": "2026-06-27T09:30:00.000Z",
         *         "lastChange": -5,
         *         "flip1pTo3p": false,
         *         "atLowest": true,
         *         "lowest": 79.99,
         *         "inStock": true
         *       },
         *       "retailer_aExit": {
         *         "lowestFba": 94.5,
         *         "fbaSellers": 7,
         *         "buyBox": 96,
         *         "netFba": 71.36
         *       }
         *     }
         */
        RetailWatchRow: {
            /**
             * @description Set number.
             * @example 90001-1
             */
            setNumber: string;
            /**
             * @description Title of the set.
             * @example Tidewater Lighthouse
             */
            name: string;
            /**
             * @description Product identifier at retailer_a; left out if unknown.
             * @example B0ABCD1234
             */
            asin?: string;
            /**
             * @description UPC, 12 digits; left out if unknown.
             * @example 036000291452
             */
            upc?: string;
            /**
             * @description EAN, 13 digits.
             * @example 0036000291452
             */
            ean: string | null;
            /**
             * @description What the caller paid a unit, on average, for the units held.
             * @example 64.5
             */
            paid?: number;
            retailer_a: components["schemas"]["PriceBlock"];
            retailer_b: components["schemas"]["PriceBlock"];
            retailer_aExit: components["schemas"]["RetailExit"];
        };
        /**
         * @description What one retailer asks for a set.
         * @example {
         *       "retailer": "retailer_a",
         *       "retailer_name": "Retailer A",
         *       "current_price": 79.99,
         *       "list_price": 99.99,
         *       "discount_percent": 20,
         *       "in_stock": true,
         *       "is_first_party": true,
         *       "product_url": "https://retailer-a.example/dp/B0ABCD1234",
         *       "last_checked_at": "2026-06-27T14:05:00.000Z"
         *     }
         */
        RetailerSummary: {
            /**
             * @description Which retailer: `retailer_a` or `retailer_b`.
             * @example retailer_a
             */
            retailer: string;
            /**
             * @description Its name.
             * @example Retailer A
             */
            retailer_name: string;
            /**
             * @description The last price that was seen: the price now, unless `in_stock` is false. Null if none was ever seen.
             * @example 79.99
             */
            current_price: number | null;
            /**
             * @description The retailer's list price, or the recommended retail price if it shows none. Null if neither is known.
             * @example 99.99
             */
            list_price: number | null;
            /**
             * @description How far the price lies under the list price; negative above it.
             * @example 20
             */
            discount_percent: number | null;
            /**
             * @description Whether it can be bought now.
             * @example true
             */
            in_stock: boolean;
            /**
             * @description Whether the retailer itself sells it.
             * @example true
             */
            is_first_party: boolean;
            /**
             * @description Where to buy it.
             * @example https://retailer-a.example/dp/B0ABCD1234
             */
            product_url: string;
            /**
             * Format: date-time
             * @description When the price was last seen.
             * @example 2026-06-27T14:05:00.000Z
             */
            last_checked_at: string;
        };
        /**
         * @description A sale the account has recorded.
         * @example {
         *       "id": 311,
         *       "set_number": "90001-1",
         *       "title": "Tidewater Lighthouse",
         *       "platform": "ebay",
         *       "sale_date": "2026-05-18",
         *       "quantity": 1,
         *       "gross_proceeds_usd": 129.99,
         *       "platform_fees_usd": 17.22,
         *       "payment_fees_usd": 0.4,
         *       "shipping_cost_usd": 12.1,
         *       "net_proceeds_usd": 100.27,
         *       "profit_loss_usd": 35.77,
         *       "roi_pct": 55.46
         *     }
         */
        Sale: {
            /**
             * @description Identifier of the sale.
             * @example 311
             */
            id: number;
            /**
             * @description Set number.
             * @example 90001-1
             */
            set_number: string;
            /**
             * @description Title of the set.
             * @example Tidewater Lighthouse
             */
            title: string;
            /**
             * @description Where it was sold: `ebay`, `bricklink`, `amazon`, `walmart`, `facebook`, `mercari`, `whatnot`, `local` or `other`. An open list.
             * @example ebay
             */
            platform: string;
            /**
             * Format: date
             * @description Day of the sale.
             * @example 2026-05-18
             */
            sale_date: string;
            /**
             * @description Units sold.
             * @example 1
             */
            quantity: number;
            /**
             * @description What the buyer paid.
             * @example 129.99
             */
            gross_proceeds_usd: number;
            /**
             * @description Fees of the platform.
             * @example 17.22
             */
            platform_fees_usd: number;
            /**
             * @description Fees of the payment.
             * @example 0.4
             */
            payment_fees_usd: number;
            /**
             * @description What shipping cost the seller.
             * @example 12.1
             */
            shipping_cost_usd: number;
            /**
             * @description Gross less fees and shipping.
             * @example 100.27
             */
            net_proceeds_usd: number;
            /**
             * @description Net less the cost of the units; null when that is not known.
             * @example 35.77
             */
            profit_loss_usd: number | null;
            /**
             * @description Profit in percent of the cost; null when the cost is not known or 0.
             * @example 55.46
             */
            roi_pct: number | null;
        };
        /**
         * @description One page of sales.
         * @example {
         *       "sales": [
         *         {
         *           "id": 311,
         *           "set_number": "90001-1",
         *           "title": "Tidewater Lighthouse",
         *           "platform": "ebay",
         *           "sale_date": "2026-05-18",
         *           "quantity": 1,
         *           "gross_proceeds_usd": 129.99,
         *           "platform_fees_usd": 17.22,
         *           "payment_fees_usd": 0.4,
         *           "shipping_cost_usd": 12.1,
         *           "net_proceeds_usd": 100.27,
         *           "profit_loss_usd": 35.77,
         *           "roi_pct": 55.46
         *         }
         *       ],
         *       "pagination": {
         *         "total": 132,
         *         "limit": 50,
         *         "offset": 0,
         *         "has_more": true
         *       }
         *     }
         */
        SalesData: {
            /**
             * @description The newest first.
             * @example [
             *       {
             *         "id": 311,
             *         "set_number": "90001-1",
             *         "title": "Tidewater Lighthouse",
             *         "platform": "ebay",
             *         "sale_date": "2026-05-18",
             *         "quantity": 1,
             *         "gross_proceeds_usd": 129.99,
             *         "platform_fees_usd": 17.22,
             *         "payment_fees_usd": 0.4,
             *         "shipping_cost_usd": 12.1,
             *         "net_proceeds_usd": 100.27,
             *         "profit_loss_usd": 35.77,
             *         "roi_pct": 55.46
             *       }
             *     ]
             */
            sales: components["schemas"]["Sale"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description A set with its computed market values. Every key is always present; unknown is null.
         * @example {
         *       "set_number": "90001-1",
         *       "title": "Tidewater Lighthouse",
         *       "theme": "Harbor",
         *       "subtheme": "Coast",
         *       "pieces": 812,
         *       "minifigs_count": 4,
         *       "minifigs": [
         *         "hbr001",
         *         "hbr002"
         *       ],
         *       "barcodes": {
         *         "upc": "036000291452",
         *         "ean": "0036000291452"
         *       },
         *       "msrp_usd": 89.99,
         *       "release_date": "2023-03-01",
         *       "retire_date": "2024-12-31",
         *       "status_id": 4,
         *       "data_tier": "market",
         *       "image_url": "https://images.brickmark.example/sets/90001-1.png",
         *       "new_value_usd": 112.4,
         *       "used_value_usd": 71.1,
         *       "value_range": {
         *         "low": 96.2,
         *         "high": 131.5,
         *         "calculated_at": "2026-06-27T03:10:00.000Z"
         *       },
         *       "retailers": [
         *         {
         *           "retailer": "retailer_a",
         *           "retailer_name": "Retailer A",
         *           "current_price": 79.99,
         *           "list_price": 99.99,
         *           "discount_percent": 20,
         *           "in_stock": true,
         *           "is_first_party": true,
         *           "product_url": "https://retailer-a.example/dp/B0ABCD1234",
         *           "last_checked_at": "2026-06-27T14:05:00.000Z"
         *         }
         *       ],
         *       "box": {
         *         "width_in": 18.9,
         *         "height_in": 14.9,
         *         "depth_in": 3.6,
         *         "weight_lbs": 3.4
         *       }
         *     }
         */
        Set: {
            /**
             * @description Canonical set number.
             * @example 90001-1
             */
            set_number: string;
            /**
             * @description Title.
             * @example Tidewater Lighthouse
             */
            title: string;
            /**
             * @description Theme.
             * @example Harbor
             */
            theme: string;
            /**
             * @description Subtheme.
             * @example Coast
             */
            subtheme: string | null;
            /**
             * @description Number of pieces.
             * @example 812
             */
            pieces: number | null;
            /**
             * @description Number of minifigs in the box, duplicates counted.
             * @example 4
             */
            minifigs_count: number;
            /**
             * @description Numbers of the distinct minifigs.
             * @example [
             *       "hbr001",
             *       "hbr002"
             *     ]
             */
            minifigs: string[];
            barcodes: components["schemas"]["Barcodes"];
            /**
             * @description Recommended retail price.
             * @example 89.99
             */
            msrp_usd: number | null;
            /**
             * @description First day on the shelves.
             * @example 2023-03-01
             */
            release_date: string | null;
            /**
             * @description The day on which it was retired; null while it is not.
             * @example 2024-12-31
             */
            retire_date: string | null;
            /**
             * @description 1 upcoming, 2 available, 3 retiring soon, 4 retired.
             * @example 4
             */
            status_id: number;
            /**
             * @description How well the value is founded: `market`, `thin`, `modelled` or `none`. An open list: expect new words.
             * @example market
             */
            data_tier: string;
            /**
             * @description Picture of the set.
             * @example https://images.brickmark.example/sets/90001-1.png
             */
            image_url: string | null;
            /**
             * @description Computed value of a sealed copy.
             * @example 112.4
             */
            new_value_usd: number | null;
            /**
             * @description Computed value of a used copy.
             * @example 71.1
             */
            used_value_usd: number | null;
            value_range: components["schemas"]["ValueRange"];
            /**
             * @description What the retailers ask now.
             * @example [
             *       {
             *         "retailer": "retailer_a",
             *         "retailer_name": "Retailer A",
             *         "current_price": 79.99,
             *         "list_price": 99.99,
             *         "discount_percent": 20,
             *         "in_stock": true,
             *         "is_first_party": true,
             *         "product_url": "https://retailer-a.example/dp/B0ABCD1234",
             *         "last_checked_at": "2026-06-27T14:05:00.000Z"
             *       }
             *     ]
             */
            retailers: components["schemas"]["RetailerSummary"][];
            box: components["schemas"]["Box"];
        };
        /**
         * @description The finalized months of a set.
         * @example {
         *       "set_number": "90001-1",
         *       "condition": "sealed",
         *       "history": [
         *         {
         *           "month": "2026-05",
         *           "value_usd": 110.25,
         *           "range_low": 95.4,
         *           "range_high": 127.3,
         *           "sales_count": 14,
         *           "event": null
         *         }
         *       ]
         *     }
         */
        SetHistory: {
            /**
             * @description Canonical set number.
             * @example 90001-1
             */
            set_number: string;
            /**
             * @description The condition asked for.
             * @example sealed
             * @enum {string}
             */
            condition: "sealed" | "used";
            /**
             * @description Ascending by month.
             * @example [
             *       {
             *         "month": "2026-05",
             *         "value_usd": 110.25,
             *         "range_low": 95.4,
             *         "range_high": 127.3,
             *         "sales_count": 14,
             *         "event": null
             *       }
             *     ]
             */
            history: components["schemas"]["HistoryPoint"][];
        };
        /**
         * @description One page of sets.
         * @example {
         *       "results": [
         *         {
         *           "set_number": "90001-1",
         *           "title": "Tidewater Lighthouse",
         *           "theme": "Harbor",
         *           "subtheme": "Coast",
         *           "pieces": 812,
         *           "year": 2023,
         *           "retired": true,
         *           "image_url": "https://images.brickmark.example/sets/90001-1.png"
         *         }
         *       ],
         *       "pagination": {
         *         "total": 132,
         *         "limit": 50,
         *         "offset": 0,
         *         "has_more": true
         *       }
         *     }
         */
        SetSearchData: {
            /**
             * @description The best match first.
             * @example [
             *       {
             *         "set_number": "90001-1",
             *         "title": "Tidewater Lighthouse",
             *         "theme": "Harbor",
             *         "subtheme": "Coast",
             *         "pieces": 812,
             *         "year": 2023,
             *         "retired": true,
             *         "image_url": "https://images.brickmark.example/sets/90001-1.png"
             *       }
             *     ]
             */
            results: components["schemas"]["SetSearchResult"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description What identifies a set. Values come from `GET /set/{number}`.
         * @example {
         *       "set_number": "90001-1",
         *       "title": "Tidewater Lighthouse",
         *       "theme": "Harbor",
         *       "subtheme": "Coast",
         *       "pieces": 812,
         *       "year": 2023,
         *       "retired": true,
         *       "image_url": "https://images.brickmark.example/sets/90001-1.png"
         *     }
         */
        SetSearchResult: {
            /**
             * @description Canonical set number.
             * @example 90001-1
             */
            set_number: string;
            /**
             * @description Title.
             * @example Tidewater Lighthouse
             */
            title: string;
            /**
             * @description Theme.
             * @example Harbor
             */
            theme: string | null;
            /**
             * @description Subtheme.
             * @example Coast
             */
            subtheme: string | null;
            /**
             * @description Number of pieces.
             * @example 812
             */
            pieces: number | null;
            /**
             * @description Year of release.
             * @example 2023
             */
            year: number | null;
            /**
             * @description Whether it is retired.
             * @example true
             */
            retired: boolean;
            /**
             * @description Picture of the set.
             * @example https://images.brickmark.example/sets/90001-1.png
             */
            image_url: string | null;
        };
        /**
         * @description A theme of the catalog.
         * @example {
         *       "theme": "Harbor",
         *       "set_count": 44
         *     }
         */
        Theme: {
            /**
             * @description Name of the theme.
             * @example Harbor
             */
            theme: string;
            /**
             * @description How many sets it has.
             * @example 44
             */
            set_count: number;
        };
        /**
         * @description All themes.
         * @example {
         *       "themes": [
         *         {
         *           "theme": "Harbor",
         *           "set_count": 44
         *         }
         *       ]
         *     }
         */
        ThemesData: {
            /**
             * @description A–Z.
             * @example [
             *       {
             *         "theme": "Harbor",
             *         "set_count": 44
             *       }
             *     ]
             */
            themes: components["schemas"]["Theme"][];
        };
        /**
         * @description The holding that gained most by percentage, among those that cost $5 or more.
         * @example {
         *       "set_number": "90001-1",
         *       "title": "Tidewater Lighthouse",
         *       "gain_pct": 74.26
         *     }
         */
        TopGainer: {
            /**
             * @description Set number.
             * @example 90001-1
             */
            set_number: string | null;
            /**
             * @description Title of the set.
             * @example Tidewater Lighthouse
             */
            title: string | null;
            /**
             * @description Gain in percent of its cost.
             * @example 74.26
             */
            gain_pct: number | null;
        };
        /**
         * @description The holding that lost most by percentage, among those that cost $5 or more.
         * @example {
         *       "set_number": "90042-1",
         *       "title": "Copper Canyon Crossing",
         *       "loss_pct": -12.5
         *     }
         */
        TopLoser: {
            /**
             * @description Set number.
             * @example 90042-1
             */
            set_number: string | null;
            /**
             * @description Title of the set.
             * @example Copper Canyon Crossing
             */
            title: string | null;
            /**
             * @description Loss in percent of its cost, as a negative number.
             * @example -12.5
             */
            loss_pct: number | null;
        };
        /**
         * @description The portfolio on one day. Units without a value that day are left out; units of an unknown purchase date count as held all along.
         * @example {
         *       "date": "2026-06-27",
         *       "total_value_usd": 7944.15,
         *       "cost_basis_usd": 5210.4,
         *       "gain_loss_usd": 2733.75,
         *       "gain_loss_pct": 52.47
         *     }
         */
        ValuePoint: {
            /**
             * Format: date
             * @description Day.
             * @example 2026-06-27
             */
            date: string;
            /**
             * @description Value of what was held.
             * @example 7944.15
             */
            total_value_usd: number;
            /**
             * @description Known cost of the same units.
             * @example 5210.4
             */
            cost_basis_usd: number;
            /**
             * @description Value less cost of the units whose value and cost are known.
             * @example 2733.75
             */
            gain_loss_usd: number;
            /**
             * @description Gain in percent of the cost; 0 when there is no cost.
             * @example 52.47
             */
            gain_loss_pct: number;
        };
        /**
         * @description Where the next sale of a sealed copy is expected to lie, with 80 % probability.
         * @example {
         *       "low": 96.2,
         *       "high": 131.5,
         *       "calculated_at": "2026-06-27T03:10:00.000Z"
         *     }
         */
        ValueRange: {
            /**
             * @description Lower end.
             * @example 96.2
             */
            low: number | null;
            /**
             * @description Upper end.
             * @example 131.5
             */
            high: number | null;
            /**
             * @description When the value was computed.
             * @example 2026-06-27T03:10:00.000Z
             */
            calculated_at: string | null;
        };
    };
    responses: {
        /** @description The path, a parameter or the body is not valid. Costs nothing. */
        Error400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /**
                     * @description What went wrong.
                     * @example {
                     *       "code": "BadRequest",
                     *       "message": "Unknown parameter `limits`. Did you mean `limit`? Allowed: limit, offset."
                     *     }
                     */
                    error: {
                        /**
                         * @description For programs.
                         * @example BadRequest
                         * @enum {string}
                         */
                        code: "BadRequest";
                        /**
                         * @description For people. Its wording may change.
                         * @example Unknown parameter `limits`. Did you mean `limit`? Allowed: limit, offset.
                         */
                        message: string;
                    };
                };
            };
        };
        /** @description No key, or one that is unknown, expired or revoked. Costs nothing. */
        Error401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                Link: components["headers"]["Link"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /**
                     * @description What went wrong.
                     * @example {
                     *       "code": "InvalidApiKey",
                     *       "message": "This API key is not valid. A key is `bmk_live_` and 48 characters of 0-9 and a-f, 57 in all; yours may be mistyped, cut short, expired or revoked."
                     *     }
                     */
                    error: {
                        /**
                         * @description For programs.
                         * @example InvalidApiKey
                         * @enum {string}
                         */
                        code: "MissingApiKey" | "InvalidApiKey";
                        /**
                         * @description For people. Its wording may change.
                         * @example This API key is not valid. A key is `bmk_live_` and 48 characters of 0-9 and a-f, 57 in all; yours may be mistyped, cut short, expired or revoked.
                         */
                        message: string;
                    };
                };
            };
        };
        /** @description The account does not have the Reseller plan. Costs nothing. */
        Error403: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /**
                     * @description What went wrong.
                     * @example {
                     *       "code": "TierRequired",
                     *       "message": "The API is part of the Reseller plan, which this account does not have."
                     *     }
                     */
                    error: {
                        /**
                         * @description For programs.
                         * @example TierRequired
                         * @enum {string}
                         */
                        code: "TierRequired";
                        /**
                         * @description For people. Its wording may change.
                         * @example The API is part of the Reseller plan, which this account does not have.
                         */
                        message: string;
                    };
                };
            };
        };
        /** @description It does not exist. That is an answer too and costs its price. */
        Error404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /**
                     * @description What went wrong.
                     * @example {
                     *       "code": "NotFound",
                     *       "message": "There is no set 1. `GET /catalog/sets/search?q=…` finds numbers by name."
                     *     }
                     */
                    error: {
                        /**
                         * @description For programs.
                         * @example NotFound
                         * @enum {string}
                         */
                        code: "NotFound";
                        /**
                         * @description For people. Its wording may change.
                         * @example There is no set 1. `GET /catalog/sets/search?q=…` finds numbers by name.
                         */
                        message: string;
                    };
                };
            };
        };
        /** @description Too little is left of the daily allowance. Costs nothing. */
        Error429: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /**
                     * @description What went wrong.
                     * @example {
                     *       "code": "QuotaExceeded",
                     *       "message": "This request costs 100 units, and this key has used 960 of its 1000 today: 40 left. The allowance resets at 2026-06-28T00:00:00.000Z, in 3 h 12 min. The Usage page of your account shows where the units went."
                     *     }
                     */
                    error: {
                        /**
                         * @description For programs.
                         * @example QuotaExceeded
                         * @enum {string}
                         */
                        code: "QuotaExceeded";
                        /**
                         * @description For people. Its wording may change.
                         * @example This request costs 100 units, and this key has used 960 of its 1000 today: 40 left. The allowance resets at 2026-06-28T00:00:00.000Z, in 3 h 12 min. The Usage page of your account shows where the units went.
                         */
                        message: string;
                    };
                };
            };
        };
        /** @description A fault of the service. Costs nothing; you may try again. */
        Error500: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                Link: components["headers"]["Link"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /**
                     * @description What went wrong.
                     * @example {
                     *       "code": "InternalError",
                     *       "message": "Something went wrong on our side. Nothing was charged; you may try again."
                     *     }
                     */
                    error: {
                        /**
                         * @description For programs.
                         * @example InternalError
                         * @enum {string}
                         */
                        code: "InternalError";
                        /**
                         * @description For people. Its wording may change.
                         * @example Something went wrong on our side. Nothing was charged; you may try again.
                         */
                        message: string;
                    };
                };
            };
        };
        /** @description The service is overloaded or a part of it is restarting; try again after `Retry-After`. Costs nothing, unless the message says that it may have been charged: then the database was lost while it was. */
        Error503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                Link: components["headers"]["Link"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /**
                     * @description What went wrong.
                     * @example {
                     *       "code": "InternalError",
                     *       "message": "The service is busy or a part of it is restarting. Nothing was charged; try again shortly."
                     *     }
                     */
                    error: {
                        /**
                         * @description For programs.
                         * @example InternalError
                         * @enum {string}
                         */
                        code: "InternalError";
                        /**
                         * @description For people. Its wording may change.
                         * @example The service is busy or a part of it is restarting. Nothing was charged; try again shortly.
                         */
                        message: string;
                    };
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Name of this request. */
        "X-Request-Id": string;
        /** @description Version of the contract. */
        "X-API-Version": "1";
        /** @description Daily allowance of the key. */
        "X-RateLimit-Limit": number;
        /** @description Units left before the reset. */
        "X-RateLimit-Remaining": number;
        /** @description When the allowance resets. */
        "X-RateLimit-Reset": string;
        /** @description Seconds to wait. */
        "Retry-After": number;
        /** @description Where the code is explained. */
        Link: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getSet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Set number, with or without the variant: `90001` finds `90001-1`. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Set"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getMinifig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Minifig number, in any case. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Minifig"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    searchSets: {
        parameters: {
            query: {
                /** @description Words to look for: each must occur in the number or in the name. Case, accents and punctuation are ignored. */
                q: string;
                /** @description How many to return. */
                limit?: number;
                /** @description How many to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SetSearchData"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    searchMinifigs: {
        parameters: {
            query: {
                /** @description Words to look for: each must occur in the number or in the name. Case, accents and punctuation are ignored. */
                q: string;
                /** @description How many to return. */
                limit?: number;
                /** @description How many to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MinifigSearchData"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listThemes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ThemesData"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BatchData"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getSetHistory: {
        parameters: {
            query?: {
                /** @description Which value: of sealed or of used copies. */
                condition?: "sealed" | "used";
            };
            header?: never;
            path: {
                /** @description Set number, with or without the variant: `90001` finds `90001-1`. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SetHistory"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getSetRetailPrices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Set number, with or without the variant: `90001` finds `90001-1`. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Live prices of a set
                         * @example {
                         *       "setNumber": "90001-1",
                         *       "name": "Tidewater Lighthouse",
                         *       "asin": "B0ABCD1234",
                         *       "upc": "036000291452",
                         *       "ean": "0036000291452",
                         *       "paid": 64.5,
                         *       "retailer_a": {
                         *         "price": 79.99,
                         *         "sellerType": "retailer",
                         *         "changedAt": "2026-06-27T09:30:00.000Z",
                         *         "lastChange": -5,
                         *         "flip1pTo3p": false,
                         *         "atLowest": true,
                         *         "lowest": 79.99,
                         *         "inStock": true
                         *       },
                         *       "retailer_b": {
                         *         "price": null,
                         *         "sellerType": null,
                         *         "changedAt": null,
                         *         "lastChange": null,
                         *         "flip1pTo3p": false,
                         *         "atLowest": false,
                         *         "lowest": null,
                         *         "inStock": null
                         *       },
                         *       "retailer_aExit": {
                         *         "lowestFba": 94.5,
                         *         "fbaSellers": 7,
                         *         "buyBox": 96,
                         *         "netFba": 71.36
                         *       }
                         *     }
                         */
                        data: components["schemas"]["RetailWatchRow"] | null;
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    findRetailPrices: {
        parameters: {
            query?: {
                /** @description Set number, with or without the variant: `90001` finds `90001-1`. */
                set?: string;
                /** @description Product identifier at retailer_a. */
                asin?: string;
                /** @description UPC or EAN; leading zeros may be missing. */
                upc?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Live prices by any identifier
                         * @example {
                         *       "setNumber": "90001-1",
                         *       "name": "Tidewater Lighthouse",
                         *       "asin": "B0ABCD1234",
                         *       "upc": "036000291452",
                         *       "ean": "0036000291452",
                         *       "paid": 64.5,
                         *       "retailer_a": {
                         *         "price": 79.99,
                         *         "sellerType": "retailer",
                         *         "changedAt": "2026-06-27T09:30:00.000Z",
                         *         "lastChange": -5,
                         *         "flip1pTo3p": false,
                         *         "atLowest": true,
                         *         "lowest": 79.99,
                         *         "inStock": true
                         *       },
                         *       "retailer_b": {
                         *         "price": null,
                         *         "sellerType": null,
                         *         "changedAt": null,
                         *         "lastChange": null,
                         *         "flip1pTo3p": false,
                         *         "atLowest": false,
                         *         "lowest": null,
                         *         "inStock": null
                         *       },
                         *       "retailer_aExit": {
                         *         "lowestFba": 94.5,
                         *         "fbaSellers": 7,
                         *         "buyBox": 96,
                         *         "netFba": 71.36
                         *       }
                         *     }
                         */
                        data: components["schemas"]["RetailWatchRow"] | null;
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    watchRetailPrices: {
        parameters: {
            query?: {
                /** @description Only sets whose price changed within this time: digits and `m`, `h` or `d`, like `30m`, `3h`, `7d`. */
                changed_within?: string;
                /** @description Only sets whose price changed at or after this instant, in any form of RFC 3339. */
                since?: string;
                /** @description Only these products at retailer_a: one, or several separated by commas. */
                asin?: string;
                /** @description Only these UPC or EAN codes: one, or several separated by commas. */
                upc?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Live prices of what you hold
                         * @example [
                         *       {
                         *         "setNumber": "90001-1",
                         *         "name": "Tidewater Lighthouse",
                         *         "asin": "B0ABCD1234",
                         *         "upc": "036000291452",
                         *         "ean": "0036000291452",
                         *         "paid": 64.5,
                         *         "retailer_a": {
                         *           "price": 79.99,
                         *           "sellerType": "retailer",
                         *           "changedAt": "2026-06-27T09:30:00.000Z",
                         *           "lastChange": -5,
                         *           "flip1pTo3p": false,
                         *           "atLowest": true,
                         *           "lowest": 79.99,
                         *           "inStock": true
                         *         },
                         *         "retailer_b": {
                         *           "price": null,
                         *           "sellerType": null,
                         *           "changedAt": null,
                         *           "lastChange": null,
                         *           "flip1pTo3p": false,
                         *           "atLowest": false,
                         *           "lowest": null,
                         *           "inStock": null
                         *         },
                         *         "retailer_aExit": {
                         *           "lowestFba": 94.5,
                         *           "fbaSellers": 7,
                         *           "buyBox": 96,
                         *           "netFba": 71.36
                         *         }
                         *       }
                         *     ]
                         */
                        data: components["schemas"]["RetailWatchRow"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listBrickfolios: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BrickfoliosData"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAnalytics: {
        parameters: {
            query?: {
                /** @description How far back the value history reaches: daily for `30d` and `90d`, weekly for `1y`. */
                period?: "30d" | "90d" | "1y";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Analytics"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listEntries: {
        parameters: {
            query?: {
                /** @description Only this collection. */
                brickfolio_id?: number;
                /** @description How many to return. */
                limit?: number;
                /** @description How many to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EntriesData"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listSales: {
        parameters: {
            query?: {
                /** @description How many to return. */
                limit?: number;
                /** @description How many to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SalesData"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
}

export const endpoints = {
  getSet: { method: 'GET', path: '/set/{number}' },
  getMinifig: { method: 'GET', path: '/minifig/{number}' },
  searchSets: { method: 'GET', path: '/catalog/sets/search' },
  searchMinifigs: { method: 'GET', path: '/catalog/minifigs/search' },
  listThemes: { method: 'GET', path: '/catalog/themes' },
  getBatch: { method: 'POST', path: '/catalog/batch' },
  getSetHistory: { method: 'GET', path: '/set/{number}/history' },
  getSetRetailPrices: { method: 'GET', path: '/set/{number}/retail-prices' },
  findRetailPrices: { method: 'GET', path: '/retail-prices' },
  watchRetailPrices: { method: 'GET', path: '/brickfolio/retail-watch' },
  listBrickfolios: { method: 'GET', path: '/brickfolio' },
  getAnalytics: { method: 'GET', path: '/brickfolio/analytics' },
  listEntries: { method: 'GET', path: '/brickfolio/entries' },
  listSales: { method: 'GET', path: '/salesledger' },
} as const

export const SDK_VERSION = '0.9.0'

// Generated from apps/api/openapi.json and extensions.openapi.json by `npm run generate`.

export interface paths {
    "/set/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a set
         * @description Returns set details, estimated sealed and used values, and current retailer prices.
         *
         *     **Cost:** 1 credit.
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
         * Get a minifig
         * @description Returns minifig details, its estimated value and the sets it appears in.
         *
         *     **Cost:** 1 credit.
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
         * Search sets
         * @description Searches by number and name. Exact matches come first, then prefix matches, then the rest. Values are not included.
         *
         *     **Cost:** 1 credit.
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
         * Search minifigs
         * @description Searches by number and name. Exact matches come first, then prefix matches, then the rest. Values are not included.
         *
         *     **Cost:** 1 credit.
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
         * List themes
         * @description Lists all themes alphabetically with their set counts. Not paginated.
         *
         *     **Cost:** 1 credit.
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
         * Get sets and minifigs in bulk
         * @description Returns up to 100 sets and minifigs. Costs 1 credit per unique number, found or not. If you don't have enough credits for the whole batch, it fails with 429 and nothing is charged.
         *
         *     **Cost:** 1 credit per item.
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
         * Get set value history
         * @description Returns finalized monthly values, oldest first. A month is finalized on the 8th of the following month, and changes only if a source withdraws its data.
         *
         *     **Cost:** 1 credit.
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
         * Get retail prices for a set
         * @description Returns live prices at both retailers, or null if the set isn't tracked. Includes `paid` if you own the set.
         *
         *     **Cost:** 1 credit.
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
         * Find retail prices
         * @description Looks up live prices by set number, ASIN or barcode. If you pass several identifiers, they must match the same set. Returns null if nothing matches.
         *
         *     **Cost:** 1 credit.
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
         * List retail prices for your sets
         * @description Returns one row per set you own that is tracked at a retailer, ordered by set number. Filters are combined with AND. If you pass both `changed_within` and `since`, the later cutoff applies.
         *
         *     **Cost:** 1 credit.
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
         * List collections
         * @description Lists your collections with cost basis and value, default collection first.
         *
         *     **Cost:** 1 credit.
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
         * Get portfolio analytics
         * @description Returns totals, your top gainer and loser, and value history. History is derived from your purchases and sales, so corrections apply retroactively.
         *
         *     **Cost:** 1 credit.
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
         * List lots
         * @description Lists your lots with current values, up to 250 per credit: the cheapest way to value a collection.
         *
         *     **Cost:** 1 credit.
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
         * List sales
         * @description Lists your sales with fees, net proceeds, profit and ROI, newest first.
         *
         *     **Cost:** 1 credit.
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
    "/api/extensions/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get usage
         * @description Returns what this API key has used: credits up to one second late, requests up to ten. Free, also when the quota is used up.
         *
         *     **Cost:** free.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/extensions/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes
         * @description Lists the sets and minifigs whose value, retail price or status changed, oldest first, one to two minutes after the change. Start without `after`, load what you need, then pass the `next` of each response as `after` of the following request: nothing is left out. Changes are kept for 29 days.
         *
         *     **Cost:** 1 credit.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/extensions/v1/sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sets
         * @description Lists sets by theme, year and status, in the order of their numbers; with `q`, the best match first. Values are not included.
         *
         *     **Cost:** 1 credit.
         */
        get: operations["listSets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/extensions/v1/lots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List lots with IDs
         * @description Lists your lots with ID, notes and current value, in the order they were added.
         *
         *     **Cost:** 1 credit.
         */
        get: operations["listLots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/extensions/v1/sales": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find sales
         * @description Lists your sales by date, set and platform, newest first.
         *
         *     **Cost:** 1 credit.
         */
        get: operations["findSales"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/extensions/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your alerts
         * @description Lists your alerts of the last 90 days, latest first. To receive them at once, use a webhook.
         *
         *     **Cost:** 1 credit.
         */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/extensions/v1/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List exports
         * @description Lists files with all sets, minifigs and histories, one JSON object per line. They are written every night. Rows are equal to those of v1, except that sets come without retail prices. The list is empty while files are being rewritten because a source was withdrawn.
         *
         *     **Cost:** 1 credit.
         */
        get: operations["listExports"];
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
         * @description An alert of one of your rules, with the amounts it was about.
         * @example {
         *       "id": 9120,
         *       "created_at": "2026-06-27T09:31:00.000Z",
         *       "kind": "price_at_most",
         *       "item": "set",
         *       "number": "90001-1",
         *       "title": "Tidewater Lighthouse",
         *       "retailer": "Retailer A",
         *       "reason": "$79.99 ≤ your $80.00 at Retailer A",
         *       "price_usd": 79.99,
         *       "value_usd": null,
         *       "previous_usd": 84.99,
         *       "threshold_usd": 80,
         *       "threshold_pct": null,
         *       "actual_pct": null,
         *       "read": false
         *     }
         */
        Alert: {
            /**
             * @description Alert ID.
             * @example 9120
             */
            id: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-06-27T09:31:00.000Z
             */
            created_at: string;
            /**
             * @description Kind of the rule. New values may be added.
             * @example price_at_most
             */
            kind: "price_at_most" | "below_value" | "return_at_least" | "new_low" | "sold_out" | "back_in_stock" | "third_party" | "value_moved" | "retiring_soon" | "retired" | (string & Record<never, never>);
            /**
             * @description What it is about.
             * @example set
             * @enum {string}
             */
            item: "set" | "minifig";
            /**
             * @description Set or minifig number.
             * @example 90001-1
             */
            number: string;
            /**
             * @description Title.
             * @example Tidewater Lighthouse
             */
            title: string;
            /**
             * @description Name of the retailer; null if it isn’t about a price.
             * @example Retailer A
             */
            retailer: string | null;
            /**
             * @description Why there is an alert. The wording may change.
             * @example $79.99 ≤ your $80.00 at Retailer A
             */
            reason: string;
            /**
             * @description Price at the time.
             * @example 79.99
             */
            price_usd: number | null;
            /**
             * @description Value at the time.
             * @example null
             */
            value_usd: number | null;
            /**
             * @description What it was before.
             * @example 84.99
             */
            previous_usd: number | null;
            /**
             * @description Threshold of the rule, if it is an amount.
             * @example 80
             */
            threshold_usd: number | null;
            /**
             * @description Threshold of the rule, if it is a percentage.
             * @example null
             */
            threshold_pct: number | null;
            /**
             * @description What was compared with `threshold_pct`.
             * @example null
             */
            actual_pct: number | null;
            /**
             * @description Whether it has been read on the website.
             * @example false
             */
            read: boolean;
        };
        /**
         * @description A page of alerts.
         * @example {
         *       "alerts": [
         *         {
         *           "id": 9120,
         *           "created_at": "2026-06-27T09:31:00.000Z",
         *           "kind": "price_at_most",
         *           "item": "set",
         *           "number": "90001-1",
         *           "title": "Tidewater Lighthouse",
         *           "retailer": "Retailer A",
         *           "reason": "$79.99 ≤ your $80.00 at Retailer A",
         *           "price_usd": 79.99,
         *           "value_usd": null,
         *           "previous_usd": 84.99,
         *           "threshold_usd": 80,
         *           "threshold_pct": null,
         *           "actual_pct": null,
         *           "read": false
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
        AlertsData: {
            /**
             * @description Latest first.
             * @example [
             *       {
             *         "id": 9120,
             *         "created_at": "2026-06-27T09:31:00.000Z",
             *         "kind": "price_at_most",
             *         "item": "set",
             *         "number": "90001-1",
             *         "title": "Tidewater Lighthouse",
             *         "retailer": "Retailer A",
             *         "reason": "$79.99 ≤ your $80.00 at Retailer A",
             *         "price_usd": 79.99,
             *         "value_usd": null,
             *         "previous_usd": 84.99,
             *         "threshold_usd": 80,
             *         "threshold_pct": null,
             *         "actual_pct": null,
             *         "read": false
             *       }
             *     ]
             */
            alerts: components["schemas"]["Alert"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description That an item changed. Use `POST /catalog/batch` for what it is now.
         * @example {
         *       "kind": "value",
         *       "item": "set",
         *       "number": "90001-1",
         *       "changed_at": "2026-06-27T03:10:00.000Z"
         *     }
         */
        Change: {
            /**
             * @description What changed: a value, a retail price or the status. New values may be added.
             * @example value
             */
            kind: "value" | "retail" | "status" | (string & Record<never, never>);
            /**
             * @description Whether the number is of a set or of a minifig.
             * @example set
             * @enum {string}
             */
            item: "set" | "minifig";
            /**
             * @description Number of the set or minifig.
             * @example 90001-1
             */
            number: string;
            /**
             * Format: date-time
             * @description When it changed.
             * @example 2026-06-27T03:10:00.000Z
             */
            changed_at: string;
        };
        /**
         * @description A page of changes.
         * @example {
         *       "changes": [
         *         {
         *           "kind": "value",
         *           "item": "set",
         *           "number": "90001-1",
         *           "changed_at": "2026-06-27T03:10:00.000Z"
         *         }
         *       ],
         *       "next": "7f3a-1c2-6a3f52c0",
         *       "has_more": false
         *     }
         */
        ChangesData: {
            /**
             * @description Oldest first. An item may appear several times.
             * @example [
             *       {
             *         "kind": "value",
             *         "item": "set",
             *         "number": "90001-1",
             *         "changed_at": "2026-06-27T03:10:00.000Z"
             *       }
             *     ]
             */
            changes: components["schemas"]["Change"][];
            /**
             * @description Position after these changes. Treat it as opaque.
             * @example 7f3a-1c2-6a3f52c0
             */
            next: string;
            /**
             * @description Whether there are more changes now.
             * @example false
             */
            has_more: boolean;
        };
        /**
         * @description Requests to one endpoint.
         * @example {
         *       "endpoint": "/set/{number}",
         *       "requests": 104
         *     }
         */
        EndpointUsage: {
            /**
             * @description Path of the endpoint.
             * @example /set/{number}
             */
            endpoint: string;
            /**
             * @description Number of requests.
             * @example 104
             */
            requests: number;
        };
        /**
         * @description Error response.
         * @example {
         *       "error": {
         *         "code": "BadRequest",
         *         "message": "Unknown parameter `limits`. Did you mean `limit`? Allowed: limit, offset."
         *       }
         *     }
         */
        Error: {
            /**
             * @description Error details.
             * @example {
             *       "code": "BadRequest",
             *       "message": "Unknown parameter `limits`. Did you mean `limit`? Allowed: limit, offset."
             *     }
             */
            error: {
                /**
                 * @description Machine-readable error code.
                 * @example BadRequest
                 */
                code: "BadRequest" | "MissingApiKey" | "InvalidApiKey" | "TierRequired" | "NotFound" | "QuotaExceeded" | "InternalError" | (string & Record<never, never>);
                /**
                 * @description Human-readable message. The wording may change.
                 * @example Unknown parameter `limits`. Did you mean `limit`? Allowed: limit, offset.
                 */
                message: string;
            };
        };
        /**
         * @description A file with all rows of a dataset, as gzipped NDJSON.
         * @example {
         *       "dataset": "sets",
         *       "file": "sets-20260627T040000Z.ndjson.gz",
         *       "path": "/api/extensions/v1/exports/sets-20260627T040000Z.ndjson.gz",
         *       "created_at": "2026-06-27T04:00:00.000Z",
         *       "rows": 25000,
         *       "bytes": 4718592,
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         *     }
         */
        Export: {
            /**
             * @description What a row is: a set, a minifig, or the history of a set. New values may be added.
             * @example sets
             */
            dataset: "sets" | "minifigs" | "history" | (string & Record<never, never>);
            /**
             * @description File name.
             * @example sets-20260627T040000Z.ndjson.gz
             */
            file: string;
            /**
             * @description Path to download it from.
             * @example /api/extensions/v1/exports/sets-20260627T040000Z.ndjson.gz
             */
            path: string;
            /**
             * Format: date-time
             * @description The moment its rows were read.
             * @example 2026-06-27T04:00:00.000Z
             */
            created_at: string;
            /**
             * @description Number of rows.
             * @example 25000
             */
            rows: number;
            /**
             * @description Size, in bytes.
             * @example 4718592
             */
            bytes: number;
            /**
             * @description SHA-256 checksum, in hexadecimal.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            sha256: string;
        };
        /**
         * @description The latest exports.
         * @example {
         *       "exports": [
         *         {
         *           "dataset": "sets",
         *           "file": "sets-20260627T040000Z.ndjson.gz",
         *           "path": "/api/extensions/v1/exports/sets-20260627T040000Z.ndjson.gz",
         *           "created_at": "2026-06-27T04:00:00.000Z",
         *           "rows": 25000,
         *           "bytes": 4718592,
         *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         *         }
         *       ]
         *     }
         */
        ExportsData: {
            /**
             * @description One file per dataset.
             * @example [
             *       {
             *         "dataset": "sets",
             *         "file": "sets-20260627T040000Z.ndjson.gz",
             *         "path": "/api/extensions/v1/exports/sets-20260627T040000Z.ndjson.gz",
             *         "created_at": "2026-06-27T04:00:00.000Z",
             *         "rows": 25000,
             *         "bytes": 4718592,
             *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
             *       }
             *     ]
             */
            exports: components["schemas"]["Export"][];
        };
        /**
         * @description A page of sales.
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
        FoundSalesData: {
            /**
             * @description Newest first.
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
         * @description Units of one set bought together. All fields are always present.
         * @example {
         *       "id": 5120,
         *       "collection_id": 7,
         *       "collection": "Main shelf",
         *       "set_number": "90001-1",
         *       "title": "Tidewater Lighthouse",
         *       "quantity": 2,
         *       "condition": "sealed",
         *       "status": "owned",
         *       "purchase_price_usd": 64.5,
         *       "purchase_date": "2024-01-14",
         *       "notes": "Box slightly dented",
         *       "value_usd": 112.4,
         *       "total_value_usd": 224.8,
         *       "gain_usd": 95.8,
         *       "gain_pct": 74.26
         *     }
         */
        Lot: {
            /**
             * @description Lot ID. Stays the same when the lot is edited or moved.
             * @example 5120
             */
            id: number;
            /**
             * @description Collection ID.
             * @example 7
             */
            collection_id: number;
            /**
             * @description Name of the collection.
             * @example Main shelf
             */
            collection: string;
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
             * @description Number of units.
             * @example 2
             */
            quantity: number;
            /**
             * @description Condition of the units.
             * @example sealed
             * @enum {string}
             */
            condition: "sealed" | "used";
            /**
             * @description `listed` if it is for sale. New values may be added.
             * @example owned
             */
            status: "owned" | "listed" | (string & Record<never, never>);
            /**
             * @description Purchase price per unit; 0 for gifts, null if unknown.
             * @example 64.5
             */
            purchase_price_usd: number | null;
            /**
             * @description Purchase date; null if unknown.
             * @example 2024-01-14
             */
            purchase_date: string | null;
            /**
             * @description Your notes.
             * @example Box slightly dented
             */
            notes: string | null;
            /**
             * @description Estimated value per unit; null if unavailable.
             * @example 112.4
             */
            value_usd: number | null;
            /**
             * @description Estimated value of all units.
             * @example 224.8
             */
            total_value_usd: number | null;
            /**
             * @description Value minus cost; null if either is unknown.
             * @example 95.8
             */
            gain_usd: number | null;
            /**
             * @description Gain as a percentage of cost; 0 for gifts.
             * @example 74.26
             */
            gain_pct: number | null;
        };
        /**
         * @description A page of lots.
         * @example {
         *       "lots": [
         *         {
         *           "id": 5120,
         *           "collection_id": 7,
         *           "collection": "Main shelf",
         *           "set_number": "90001-1",
         *           "title": "Tidewater Lighthouse",
         *           "quantity": 2,
         *           "condition": "sealed",
         *           "status": "owned",
         *           "purchase_price_usd": 64.5,
         *           "purchase_date": "2024-01-14",
         *           "notes": "Box slightly dented",
         *           "value_usd": 112.4,
         *           "total_value_usd": 224.8,
         *           "gain_usd": 95.8,
         *           "gain_pct": 74.26
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
        LotsData: {
            /**
             * @description In the order they were added.
             * @example [
             *       {
             *         "id": 5120,
             *         "collection_id": 7,
             *         "collection": "Main shelf",
             *         "set_number": "90001-1",
             *         "title": "Tidewater Lighthouse",
             *         "quantity": 2,
             *         "condition": "sealed",
             *         "status": "owned",
             *         "purchase_price_usd": 64.5,
             *         "purchase_date": "2024-01-14",
             *         "notes": "Box slightly dented",
             *         "value_usd": 112.4,
             *         "total_value_usd": 224.8,
             *         "gain_usd": 95.8,
             *         "gain_pct": 74.26
             *       }
             *     ]
             */
            lots: components["schemas"]["Lot"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description Response metadata.
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
             * @description Unique request ID, also sent as `X-Request-Id`.
             * @example 7f8a4c1e-2f4b-4c53-9a55-0c2b8a8f4d11
             */
            request_id: string;
            /**
             * @description API version.
             * @example 1
             * @constant
             */
            api_version: "1";
            rate_limit: components["schemas"]["RateLimit"];
        };
        /**
         * @description Pagination details.
         * @example {
         *       "total": 132,
         *       "limit": 50,
         *       "offset": 0,
         *       "has_more": true
         *     }
         */
        Pagination: {
            /**
             * @description Total number of results.
             * @example 132
             */
            total: number;
            /**
             * @description Page size.
             * @example 50
             */
            limit: number;
            /**
             * @description Offset of this page.
             * @example 0
             */
            offset: number;
            /**
             * @description Whether there are more results. Use `offset + limit` for the next page.
             * @example true
             */
            has_more: boolean;
        };
        /**
         * @description Quota status after this request.
         * @example {
         *       "limit": 1000,
         *       "remaining": 987,
         *       "reset": "2026-06-28T00:00:00.000Z"
         *     }
         */
        RateLimit: {
            /**
             * @description Daily quota of this API key, in credits.
             * @example 1000
             */
            limit: number;
            /**
             * @description Credits remaining until the reset.
             * @example 987
             */
            remaining: number;
            /**
             * Format: date-time
             * @description When the quota resets (midnight UTC).
             * @example 2026-06-28T00:00:00.000Z
             */
            reset: string;
        };
        /**
         * @description A recorded sale.
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
             * @description Sale ID.
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
             * @description Where it was sold. New values may be added.
             * @example ebay
             */
            platform: "ebay" | "bricklink" | "amazon" | "walmart" | "facebook" | "mercari" | "whatnot" | "local" | "other" | (string & Record<never, never>);
            /**
             * Format: date
             * @description Sale date.
             * @example 2026-05-18
             */
            sale_date: string;
            /**
             * @description Units sold.
             * @example 1
             */
            quantity: number;
            /**
             * @description Gross proceeds: what the buyer paid.
             * @example 129.99
             */
            gross_proceeds_usd: number;
            /**
             * @description Platform fees.
             * @example 17.22
             */
            platform_fees_usd: number;
            /**
             * @description Payment processing fees.
             * @example 0.4
             */
            payment_fees_usd: number;
            /**
             * @description Shipping cost.
             * @example 12.1
             */
            shipping_cost_usd: number;
            /**
             * @description Gross proceeds minus fees and shipping.
             * @example 100.27
             */
            net_proceeds_usd: number;
            /**
             * @description Net proceeds minus cost basis; null if the cost is unknown.
             * @example 35.77
             */
            profit_loss_usd: number | null;
            /**
             * @description Profit as a percentage of cost basis; null if the cost is unknown or 0.
             * @example 55.46
             */
            roi_pct: number | null;
        };
        /**
         * @description Set search result. Use `GET /set/{number}` for values.
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
             * @description Release year.
             * @example 2023
             */
            year: number | null;
            /**
             * @description Whether it is retired.
             * @example true
             */
            retired: boolean;
            /**
             * @description Image URL.
             * @example https://images.brickmark.example/sets/90001-1.png
             */
            image_url: string | null;
        };
        /**
         * @description A page of sets.
         * @example {
         *       "sets": [
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
        SetsData: {
            /**
             * @description By number, or best match first.
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
            sets: components["schemas"]["SetSearchResult"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description Usage of this API key.
         * @example {
         *       "limit": 1000,
         *       "used": 113,
         *       "remaining": 887,
         *       "reset": "2026-06-28T00:00:00.000Z",
         *       "days": [
         *         {
         *           "date": "2026-06-27",
         *           "credits": 113,
         *           "requests": 115,
         *           "failed": 2,
         *           "endpoints": [
         *             {
         *               "endpoint": "/set/{number}",
         *               "requests": 104
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        UsageData: {
            /**
             * @description Daily quota of this API key, in credits.
             * @example 1000
             */
            limit: number;
            /**
             * @description Credits used today.
             * @example 113
             */
            used: number;
            /**
             * @description Credits remaining until the reset.
             * @example 887
             */
            remaining: number;
            /**
             * Format: date-time
             * @description When the quota resets (midnight UTC).
             * @example 2026-06-28T00:00:00.000Z
             */
            reset: string;
            /**
             * @description Oldest first. Days without usage are left out, except today.
             * @example [
             *       {
             *         "date": "2026-06-27",
             *         "credits": 113,
             *         "requests": 115,
             *         "failed": 2,
             *         "endpoints": [
             *           {
             *             "endpoint": "/set/{number}",
             *             "requests": 104
             *           }
             *         ]
             *       }
             *     ]
             */
            days: components["schemas"]["UsageDay"][];
        };
        /**
         * @description Usage of this API key on one day.
         * @example {
         *       "date": "2026-06-27",
         *       "credits": 113,
         *       "requests": 115,
         *       "failed": 2,
         *       "endpoints": [
         *         {
         *           "endpoint": "/set/{number}",
         *           "requests": 104
         *         }
         *       ]
         *     }
         */
        UsageDay: {
            /**
             * Format: date
             * @description Day (UTC).
             * @example 2026-06-27
             */
            date: string;
            /**
             * @description Credits used.
             * @example 113
             */
            credits: number;
            /**
             * @description Number of requests, including those that failed.
             * @example 115
             */
            requests: number;
            /**
             * @description Requests that returned an error.
             * @example 2
             */
            failed: number;
            /**
             * @description Most requests first.
             * @example [
             *       {
             *         "endpoint": "/set/{number}",
             *         "requests": 104
             *       }
             *     ]
             */
            endpoints: components["schemas"]["EndpointUsage"][];
        };
        /**
         * @description Portfolio totals and value history.
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
             * @description Requested period.
             * @example 1y
             * @enum {string}
             */
            period: "30d" | "90d" | "1y";
            summary: components["schemas"]["AnalyticsSummary"];
            /**
             * @description Oldest first; the last point is the current value.
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
         * @description Current totals across all collections.
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
             * @description Number of unique sets.
             * @example 41
             */
            total_sets: number;
            /**
             * @description Total units.
             * @example 96
             */
            total_items: number;
            /**
             * @description Cost basis, where known. Units without a value are excluded.
             * @example 5210.4
             */
            total_cost_basis_usd: number;
            /**
             * @description Estimated value, where known.
             * @example 7944.15
             */
            total_current_value_usd: number;
            /**
             * @description Value minus cost basis of units with a known value and cost.
             * @example 2733.75
             */
            unrealized_gain_loss_usd: number;
            /**
             * @description Gain as a percentage of cost basis; 0 if the cost basis is 0.
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
         * @description Barcodes.
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
             * @description In request order, without duplicates.
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
             * @description In request order, without duplicates.
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
         * @description 1 to 100 unique numbers in total.
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
         * @description Batch summary.
         * @example {
         *       "requested": 2,
         *       "found": 2
         *     }
         */
        BatchSummary: {
            /**
             * @description Number of unique items requested.
             * @example 2
             */
            requested: number;
            /**
             * @description Number of items found.
             * @example 2
             */
            found: number;
        };
        /**
         * @description Box dimensions and weight.
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
         * @description A collection and its current value.
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
             * @description Collection ID.
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
             * @description Whether this is the default collection.
             * @example true
             */
            is_default: boolean;
            /**
             * @description Number of unique sets.
             * @example 41
             */
            owned_set_count: number;
            /**
             * @description Total units.
             * @example 96
             */
            owned_item_count: number;
            /**
             * @description Cost basis, where known. Units without a value are excluded.
             * @example 5210.4
             */
            total_cost_basis_usd: number;
            /**
             * @description Estimated value, where known.
             * @example 7944.15
             */
            total_current_value_usd: number;
            /**
             * @description Value minus cost basis of units with a known value and cost.
             * @example 2733.75
             */
            unrealized_gain_loss_usd: number;
            /**
             * Format: date-time
             * @description When the collection was created.
             * @example 2024-01-10T18:20:11.000Z
             */
            created_at: string;
        };
        /**
         * @description Collections, and current lots grouped by purchase month.
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
             * @description Default collection first, then by ID.
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
             * @description Oldest month first.
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
         * @description A page of lots.
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
             * @description Ordered by collection, then by creation order.
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
         * @description A minifig that was found.
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
             * @description Minifig number (third-party marketplace catalog).
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
             * @description Primary color. Omitted if unknown.
             * @example Dark Blue
             */
            color?: string;
            /**
             * @description Year of first release.
             * @example 2023
             */
            year_released: number | null;
            /**
             * @description Image URL.
             * @example https://images.brickmark.example/minifigs/hbr001.png
             */
            image_url: string | null;
            /**
             * @description Estimated market value.
             * @example 6.8
             */
            current_value_usd: number | null;
            value_range: components["schemas"]["MinifigValueRange"];
            /**
             * @description Number of sets it appears in.
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
             * @description Whether it was found.
             * @example true
             * @constant
             */
            found: true;
        };
        /**
         * @description A set that was found.
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
             * @description Total number of minifigs, including duplicates.
             * @example 4
             */
            minifigs_count: number;
            /**
             * @description Unique minifig numbers.
             * @example [
             *       "hbr001",
             *       "hbr002"
             *     ]
             */
            minifigs: string[];
            barcodes: components["schemas"]["Barcodes"];
            /**
             * @description Retail price (MSRP).
             * @example 89.99
             */
            msrp_usd: number | null;
            /**
             * @description Release date.
             * @example 2023-03-01
             */
            release_date: string | null;
            /**
             * @description Retirement date; null if not retired.
             * @example 2024-12-31
             */
            retire_date: string | null;
            /**
             * @description 1 upcoming, 2 available, 3 retiring soon, 4 retired, 5 unknown.
             * @example 4
             */
            status_id: number;
            /**
             * @description Confidence in the value. New values may be added.
             * @example market
             */
            data_tier: "market" | "thin" | "modelled" | "none" | (string & Record<never, never>);
            /**
             * @description Image URL.
             * @example https://images.brickmark.example/sets/90001-1.png
             */
            image_url: string | null;
            /**
             * @description Estimated value, sealed.
             * @example 112.4
             */
            new_value_usd: number | null;
            /**
             * @description Estimated value, used.
             * @example 71.1
             */
            used_value_usd: number | null;
            value_range: components["schemas"]["ValueRange"];
            /**
             * @description Current retailer prices.
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
             * @description Whether it was found.
             * @example true
             * @constant
             */
            found: true;
        };
        /**
         * @description A finalized month. Finalized months never change.
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
             * @description End-of-month value; null if there were too few sales.
             * @example 110.25
             */
            value_usd: number | null;
            /**
             * @description Lower bound of the 80% range; null if there were too few sales.
             * @example 95.4
             */
            range_low: number | null;
            /**
             * @description Upper bound of the 80% range; null if there were too few sales.
             * @example 127.3
             */
            range_high: number | null;
            /**
             * @description Units sold; null if there were too few sales.
             * @example 14
             */
            sales_count: number | null;
            /**
             * @description Lifecycle event that month; null if there was none. New values may be added.
             * @example null
             */
            event: "released" | "retiring_soon" | "retired" | "rereleased" | (string & Record<never, never>) | null;
        };
        /**
         * @description A lot: units of one set bought together. The last four fields are null if no value is available; the last two also if the purchase price is unknown.
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
             * @description Collection ID.
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
             * @description Number of units.
             * @example 2
             */
            quantity: number;
            /**
             * @description Condition of the units.
             * @example sealed
             * @enum {string}
             */
            condition: "sealed" | "used";
            /**
             * @description Purchase price per unit; 0 for gifts. Omitted if unknown.
             * @example 64.5
             */
            purchase_price_usd?: number;
            /**
             * Format: date
             * @description Purchase date. Omitted if unknown.
             * @example 2024-01-14
             */
            purchase_date?: string;
            /**
             * @description `listed` if it is for sale. New values may be added.
             * @example owned
             */
            status: "owned" | "listed" | (string & Record<never, never>);
            /**
             * @description Estimated value per unit; null if unavailable.
             * @example 112.4
             */
            current_value_usd: number | null;
            /**
             * @description Estimated value of all units.
             * @example 224.8
             */
            total_current_value_usd: number | null;
            /**
             * @description Value minus cost basis.
             * @example 95.8
             */
            unrealized_gain_loss_usd: number | null;
            /**
             * @description Gain as a percentage of cost basis; 0 for gifts.
             * @example 74.26
             */
            unrealized_gain_loss_pct: number | null;
        };
        /**
         * @description A minifig with its estimated market value. Unknown values are null.
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
             * @description Minifig number (third-party marketplace catalog).
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
             * @description Primary color. Omitted if unknown.
             * @example Dark Blue
             */
            color?: string;
            /**
             * @description Year of first release.
             * @example 2023
             */
            year_released: number | null;
            /**
             * @description Image URL.
             * @example https://images.brickmark.example/minifigs/hbr001.png
             */
            image_url: string | null;
            /**
             * @description Estimated market value.
             * @example 6.8
             */
            current_value_usd: number | null;
            value_range: components["schemas"]["MinifigValueRange"];
            /**
             * @description Number of sets it appears in.
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
         * @description A page of minifigs.
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
             * @description Best match first.
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
         * @description Minifig search result. Use `GET /minifig/{number}` for its value.
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
             * @description Minifig number (third-party marketplace catalog).
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
             * @description Year of first release.
             * @example 2023
             */
            year_released: number | null;
            /**
             * @description Image URL.
             * @example https://images.brickmark.example/minifigs/hbr001.png
             */
            image_url: string | null;
        };
        /**
         * @description 80% prediction interval for the next sale.
         * @example {
         *       "low": 5.1,
         *       "high": 9.05
         *     }
         */
        MinifigValueRange: {
            /**
             * @description Lower bound.
             * @example 5.1
             */
            low: number | null;
            /**
             * @description Upper bound.
             * @example 9.05
             */
            high: number | null;
        };
        /**
         * @description A minifig that was not found.
         * @example {
         *       "minifig_number": "xyz9",
         *       "found": false
         *     }
         */
        MissingMinifig: {
            /**
             * @description The number as requested.
             * @example xyz9
             */
            minifig_number: string;
            /**
             * @description Whether it was found.
             * @example false
             * @constant
             */
            found: false;
        };
        /**
         * @description A set that was not found.
         * @example {
         *       "set_number": "1",
         *       "found": false
         *     }
         */
        MissingSet: {
            /**
             * @description The number as requested.
             * @example 1
             */
            set_number: string;
            /**
             * @description Whether it was found.
             * @example false
             * @constant
             */
            found: false;
        };
        /**
         * @description Current lots by purchase month, across all collections. Lots with an unknown purchase date are excluded.
         * @example {
         *       "month": "2024-01",
         *       "entry_count": 3,
         *       "items": 5,
         *       "cost_basis_usd": 322.5
         *     }
         */
        MonthlyPeriod: {
            /**
             * @description Purchase month.
             * @example 2024-01
             */
            month: string;
            /**
             * @description Lots bought that month that you still own.
             * @example 3
             */
            entry_count: number;
            /**
             * @description Units in those lots.
             * @example 5
             */
            items: number;
            /**
             * @description Cost basis, including units without a value; null if unknown.
             * @example 322.5
             */
            cost_basis_usd: number | null;
        };
        /**
         * @description A set's price and price history summary at one retailer.
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
             * @description Current price; null if out of stock or unknown.
             * @example 79.99
             */
            price: number | null;
            /**
             * @description Who sells it: the retailer itself (first party) or only third parties. New values may be added.
             * @example retailer
             */
            sellerType: "retailer" | "third_party" | (string & Record<never, never>) | null;
            /**
             * @description When the price last changed; null if it never has.
             * @example 2026-06-27T09:30:00.000Z
             */
            changedAt: string | null;
            /**
             * @description Amount of the last price change.
             * @example -5
             */
            lastChange: number | null;
            /**
             * @description Whether the listing switched from first-party to third-party only.
             * @example false
             */
            flip1pTo3p: boolean;
            /**
             * @description Whether `price` equals `lowest`.
             * @example true
             */
            atLowest: boolean;
            /**
             * @description All-time low since tracking began.
             * @example 79.99
             */
            lowest: number | null;
            /**
             * @description Whether it is in stock.
             * @example true
             */
            inStock: boolean | null;
        };
        /**
         * @description Resale estimate at retailer_a. Unknown fields are omitted.
         * @example {
         *       "lowestFba": 94.5,
         *       "fbaSellers": 7,
         *       "buyBox": 96,
         *       "netFba": 71.36
         *     }
         */
        RetailExit: {
            /**
             * @description Lowest FBA offer.
             * @example 94.5
             */
            lowestFba?: number;
            /**
             * @description Number of FBA sellers; 0 if there are none.
             * @example 7
             */
            fbaSellers?: number;
            /**
             * @description Buy box price.
             * @example 96
             */
            buyBox?: number;
            /**
             * @description Net proceeds after referral and fulfillment fees.
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
             * @description ASIN (product ID at retailer_a). Omitted if unknown.
             * @example B0ABCD1234
             */
            asin?: string;
            /**
             * @description UPC, 12 digits. Omitted if unknown.
             * @example 036000291452
             */
            upc?: string;
            /**
             * @description EAN, 13 digits.
             * @example 0036000291452
             */
            ean: string | null;
            /**
             * @description Your average purchase price per unit.
             * @example 64.5
             */
            paid?: number;
            retailer_a: components["schemas"]["PriceBlock"];
            retailer_b: components["schemas"]["PriceBlock"];
            retailer_aExit: components["schemas"]["RetailExit"];
        };
        /**
         * @description A retailer's current price for a set.
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
             * @description Retailer ID.
             * @example retailer_a
             * @enum {string}
             */
            retailer: "retailer_a" | "retailer_b";
            /**
             * @description Retailer name.
             * @example Retailer A
             */
            retailer_name: string;
            /**
             * @description Last observed price: the current price unless `in_stock` is false. Null if never observed.
             * @example 79.99
             */
            current_price: number | null;
            /**
             * @description The retailer's list price, or the MSRP if it shows none; null if neither is known.
             * @example 99.99
             */
            list_price: number | null;
            /**
             * @description Discount off the list price, in percent; negative if above it.
             * @example 20
             */
            discount_percent: number | null;
            /**
             * @description Whether it is in stock.
             * @example true
             */
            in_stock: boolean;
            /**
             * @description Whether it is sold by the retailer (first party).
             * @example true
             */
            is_first_party: boolean;
            /**
             * @description Product page URL.
             * @example https://retailer-a.example/dp/B0ABCD1234
             */
            product_url: string;
            /**
             * Format: date-time
             * @description When the price was last checked.
             * @example 2026-06-27T14:05:00.000Z
             */
            last_checked_at: string;
        };
        /**
         * @description A page of sales.
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
             * @description Newest first.
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
         * @description A set with estimated market values. All fields are always present; unknown values are null.
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
             * @description Total number of minifigs, including duplicates.
             * @example 4
             */
            minifigs_count: number;
            /**
             * @description Unique minifig numbers.
             * @example [
             *       "hbr001",
             *       "hbr002"
             *     ]
             */
            minifigs: string[];
            barcodes: components["schemas"]["Barcodes"];
            /**
             * @description Retail price (MSRP).
             * @example 89.99
             */
            msrp_usd: number | null;
            /**
             * @description Release date.
             * @example 2023-03-01
             */
            release_date: string | null;
            /**
             * @description Retirement date; null if not retired.
             * @example 2024-12-31
             */
            retire_date: string | null;
            /**
             * @description 1 upcoming, 2 available, 3 retiring soon, 4 retired, 5 unknown.
             * @example 4
             */
            status_id: number;
            /**
             * @description Confidence in the value. New values may be added.
             * @example market
             */
            data_tier: "market" | "thin" | "modelled" | "none" | (string & Record<never, never>);
            /**
             * @description Image URL.
             * @example https://images.brickmark.example/sets/90001-1.png
             */
            image_url: string | null;
            /**
             * @description Estimated value, sealed.
             * @example 112.4
             */
            new_value_usd: number | null;
            /**
             * @description Estimated value, used.
             * @example 71.1
             */
            used_value_usd: number | null;
            value_range: components["schemas"]["ValueRange"];
            /**
             * @description Current retailer prices.
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
         * @description Finalized monthly values of a set.
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
             * @description Requested condition.
             * @example sealed
             * @enum {string}
             */
            condition: "sealed" | "used";
            /**
             * @description Oldest month first.
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
         * @description A page of sets.
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
             * @description Best match first.
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
         * @description A theme.
         * @example {
         *       "theme": "Harbor",
         *       "set_count": 44
         *     }
         */
        Theme: {
            /**
             * @description Theme name.
             * @example Harbor
             */
            theme: string;
            /**
             * @description Number of sets.
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
             * @description In alphabetical order.
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
         * @description The lot with the highest percentage gain (cost basis of $5 or more).
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
             * @description Gain as a percentage of cost basis.
             * @example 74.26
             */
            gain_pct: number | null;
        };
        /**
         * @description The lot with the largest percentage loss (cost basis of $5 or more).
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
             * @description Loss as a percentage of cost basis (negative).
             * @example -12.5
             */
            loss_pct: number | null;
        };
        /**
         * @description Portfolio value on one day. Units without a value that day are excluded; units with an unknown purchase date count as always owned.
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
             * @description Value of the units you owned.
             * @example 7944.15
             */
            total_value_usd: number;
            /**
             * @description Cost basis of those units, where known.
             * @example 5210.4
             */
            cost_basis_usd: number;
            /**
             * @description Value minus cost basis of units with a known value and cost.
             * @example 2733.75
             */
            gain_loss_usd: number;
            /**
             * @description Gain as a percentage of cost basis; 0 if the cost basis is 0.
             * @example 52.47
             */
            gain_loss_pct: number;
        };
        /**
         * @description 80% prediction interval for the next sealed sale.
         * @example {
         *       "low": 96.2,
         *       "high": 131.5,
         *       "calculated_at": "2026-06-27T03:10:00.000Z"
         *     }
         */
        ValueRange: {
            /**
             * @description Lower bound.
             * @example 96.2
             */
            low: number | null;
            /**
             * @description Upper bound.
             * @example 131.5
             */
            high: number | null;
            /**
             * @description When the value was last calculated.
             * @example 2026-06-27T03:10:00.000Z
             */
            calculated_at: string | null;
        };
    };
    responses: {
        /** @description Invalid path, parameter or body. Free. */
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
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Missing, invalid, expired or revoked API key. Free. */
        Error401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                Link: components["headers"]["Link"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description API access requires the Reseller plan. Free. */
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
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such set, minifig or collection. Costs as much as a successful request. */
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
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Daily quota exceeded. Free. Can be retried after `Retry-After` seconds. */
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
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Internal server error. Free. Can be retried. */
        Error500: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                Link: components["headers"]["Link"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service is overloaded or restarting. Free, unless `X-Charged` is `maybe`. Can be retried after `Retry-After` seconds. */
        Error503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                Link: components["headers"]["Link"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Charged": components["headers"]["X-Charged"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Unique request ID. Include it when contacting support. */
        "X-Request-Id": string;
        /** @description API version. */
        "X-API-Version": "1";
        /** @description Daily quota of this API key, in credits. */
        "X-RateLimit-Limit": number;
        /** @description Credits remaining until the reset. */
        "X-RateLimit-Remaining": number;
        /** @description When the quota resets (midnight UTC). */
        "X-RateLimit-Reset": string;
        /** @description Seconds to wait before retrying. */
        "Retry-After": number;
        /** @description `maybe` if the request may have been charged: the database was lost while it was. Without this header, it was free. */
        "X-Charged": "maybe";
        /** @description Link to the documentation for this error. */
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
                /** @description Set number. The variant suffix is optional: `90001` matches `90001-1`. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A set with estimated market values. All fields are always present; unknown values are null. */
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
                /** @description Minifig number (case-insensitive). */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A minifig with its estimated market value. Unknown values are null. */
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
                /** @description Search terms. Each must occur in the number or the name. Case, accents and punctuation are ignored. */
                q: string;
                /** @description Page size. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sets. */
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
                /** @description Search terms. Each must occur in the number or the name. Case, accents and punctuation are ignored. */
                q: string;
                /** @description Page size. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of minifigs. */
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
            /** @description All themes. */
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
            /** @description The items of a batch. */
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
                /** @description Condition to return values for. */
                condition?: "sealed" | "used";
            };
            header?: never;
            path: {
                /** @description Set number. The variant suffix is optional: `90001` matches `90001-1`. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Finalized monthly values of a set. */
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
                /** @description Set number. The variant suffix is optional: `90001` matches `90001-1`. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get retail prices for a set. */
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
                         * @description Get retail prices for a set
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
                /** @description Set number. The variant suffix is optional: `90001` matches `90001-1`. */
                set?: string;
                /** @description ASIN (product ID at retailer_a). */
                asin?: string;
                /** @description UPC or EAN. Leading zeros are optional. */
                upc?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Find retail prices. */
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
                         * @description Find retail prices
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
                /** @description Only sets whose price changed within this window, e.g. `30m`, `3h` or `7d`. */
                changed_within?: string;
                /** @description Only sets whose price changed at or after this time (RFC 3339). */
                since?: string;
                /** @description Comma-separated ASINs (products at retailer_a). */
                asin?: string;
                /** @description Comma-separated UPC or EAN codes. */
                upc?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List retail prices for your sets. */
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
                         * @description List retail prices for your sets
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
            /** @description Collections, and current lots grouped by purchase month. */
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
                /** @description Period to cover. Daily points for `30d` and `90d`, weekly for `1y`. */
                period?: "30d" | "90d" | "1y";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Portfolio totals and value history. */
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
                /** @description Limit to one collection. */
                brickfolio_id?: number;
                /** @description Page size. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of lots. */
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
                /** @description Page size. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sales. */
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
    getUsage: {
        parameters: {
            query?: {
                /** @description Number of days, including today. */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Usage of this API key. */
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
                        data: components["schemas"]["UsageData"];
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
    listChanges: {
        parameters: {
            query?: {
                /** @description The `next` of the previous response. Without it, you get the current position and no changes. */
                after?: string;
                /** @description Maximum number of changes. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
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
                        data: components["schemas"]["ChangesData"];
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
    listSets: {
        parameters: {
            query?: {
                /** @description Search terms. Each must occur in the number or the name. Case, accents and punctuation are ignored. */
                q?: string;
                /** @description Theme (case-insensitive). */
                theme?: string;
                /** @description First release year. */
                year_from?: number;
                /** @description Last release year. */
                year_to?: number;
                /** @description 1 upcoming, 2 available, 3 retiring soon, 4 retired, 5 unknown. */
                status_id?: number;
                /** @description Page size. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sets. */
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
                        data: components["schemas"]["SetsData"];
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
    listLots: {
        parameters: {
            query?: {
                /** @description Limit to one collection. */
                collection_id?: number;
                /** @description Set number. The variant suffix is optional: `90001` matches `90001-1`. */
                set_number?: string;
                /** @description Limit to one condition. */
                condition?: "sealed" | "used";
                /** @description Limit to one status. */
                status?: "owned" | "listed";
                /** @description Page size. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of lots. */
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
                        data: components["schemas"]["LotsData"];
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
    findSales: {
        parameters: {
            query?: {
                /** @description First sale date. */
                from?: string;
                /** @description Last sale date. */
                to?: string;
                /** @description Set number. The variant suffix is optional: `90001` matches `90001-1`. */
                set_number?: string;
                /** @description Limit to one platform. */
                platform?: "ebay" | "bricklink" | "amazon" | "walmart" | "facebook" | "mercari" | "whatnot" | "local" | "other";
                /** @description Page size. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sales. */
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
                        data: components["schemas"]["FoundSalesData"];
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
    listAlerts: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of alerts. */
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
                        data: components["schemas"]["AlertsData"];
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
    listExports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The latest exports. */
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
                        data: components["schemas"]["ExportsData"];
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
  getUsage: { method: 'GET', path: '/api/extensions/v1/usage' },
  listChanges: { method: 'GET', path: '/api/extensions/v1/changes' },
  listSets: { method: 'GET', path: '/api/extensions/v1/sets' },
  listLots: { method: 'GET', path: '/api/extensions/v1/lots' },
  findSales: { method: 'GET', path: '/api/extensions/v1/sales' },
  listAlerts: { method: 'GET', path: '/api/extensions/v1/alerts' },
  listExports: { method: 'GET', path: '/api/extensions/v1/exports' },
} as const

/** Statuses of the API that may be retried, and are free unless `X-Charged` is `maybe`. */
export const RETRYABLE_STATUSES: readonly number[] = [429, 500, 503]

export const SDK_VERSION = '0.9.0'

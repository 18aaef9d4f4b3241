import type { Database } from '@brickmark/core/db/database'
import { findSellingFees } from '@brickmark/core/market/fees/fee-schedule-queries'
import { findSellableLots } from '@brickmark/core/portfolio/sellable-lot-queries'
import type { SaleFilter } from '@brickmark/core/portfolio/sale-queries'
import { isPlatform } from '@brickmark/core/market/fees/platform'
import { saleResult, type RecordedSale } from '@brickmark/core/portfolio/sale'
import { SALE_FIELDS, type SaleField } from '@brickmark/core/portfolio/sale-form'
import type { SaleRow } from './sale-table.tsx'
import { latestPossibleDate } from '../request/today.server.ts'
import { cleanText, parseOffset } from '../request/input.server.ts'

/** Parses filter and paging of the sale list from the URL. */
export function parseSaleQuery(search: URLSearchParams): { filter: SaleFilter; offset: number } {
  const [year, platform, text] = [parseYear(search), search.get('platform') ?? '', cleanText(search.get('q'))]
  return {
    filter: {
      year,
      platform: isPlatform(platform) ? platform : undefined,
      text: text === '' ? undefined : text,
    },
    offset: parseOffset(search.get('offset')),
  }
}

export function parseYear(search: URLSearchParams): number | undefined {
  const year = search.get('year') ?? ''
  return /^(19|20)\d\d$/.test(year) ? Number(year) : undefined
}

/** Converts a sale to a table row, calculated like GET /salesledger. */
export function toSaleRow(sale: RecordedSale & { title: string }): SaleRow {
  return { ...sale, ...saleResult(sale) }
}

export type SaleFormValues = Record<SaleField, string>

/** Reads the fields of the sale form. */
export function readSaleForm(form: FormData): SaleFormValues {
  return Object.fromEntries(SALE_FIELDS.map((name) => [name, cleanText(form.get(name))])) as SaleFormValues
}

/** Loads the lots and fee presets for the sale form of an item; used to render the form and to handle its submission. */
export async function loadSaleFormContext(tx: Database, accountId: number, item: string, saleId?: number) {
  const lots = await findSellableLots(tx, accountId, [item], saleId)
  return { lots, fees: await findSellingFees(tx), today: latestPossibleDate() }
}

/** A file as a table. `row` is the row number a spreadsheet shows, or the position of an XML item. */
export type ImportTable = { header: string[]; rows: { row: number; cells: string[] }[] }

export const IMPORT_FIELDS = [
  'number',
  'variant',
  'barcode',
  'title',
  'quantity',
  'condition',
  'status',
  'price',
  'date',
  'notes',
  'collection',
  'type',
  'asking',
  'stockroom',
] as const

/** Maximum file size, in MiB. */
export const MAX_FILE_MB = 5

/** Number of days during which an import can be undone. */
export const UNDO_DAYS = 30

/** A field that a column can be mapped to. */
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** The column index of each field the file has. */
export type ColumnMapping = Partial<Record<ImportField, number>>

export type FormatName = 'own' | 'bricklink' | 'rebrickable' | 'brickeconomy' | 'brickset' | 'other'

type FileFormat = {
  name: FormatName
  title: string
  /** Columns that together identify this format. */
  requiredColumns: string[]
  columns: Partial<Record<ImportField, string>>
}

/**
 * Known formats. Column names are compared without case, spaces and punctuation. The first format whose required
 * columns are all present is used.
 */
const FORMATS: FileFormat[] = [
  {
    name: 'own',
    title: 'Brickmark',
    requiredColumns: ['setnumber', 'purchasepriceusd', 'purchasedate'],
    columns: {
      number: 'setnumber',
      quantity: 'quantity',
      condition: 'condition',
      status: 'status',
      price: 'purchasepriceusd',
      date: 'purchasedate',
      notes: 'notes',
      collection: 'collection',
      type: 'type',
    },
  },
  {
    name: 'bricklink',
    title: 'BrickLink XML',
    requiredColumns: ['itemtype', 'itemid'],
    columns: {
      type: 'itemtype',
      number: 'itemid',
      quantity: 'qty',
      condition: 'condition',
      // PRICE is the store's asking price; MYCOST is what was paid.
      price: 'mycost',
      asking: 'price',
      stockroom: 'stockroom',
      date: 'dateadded',
      notes: 'remarks',
    },
  },
  {
    name: 'rebrickable',
    title: 'Rebrickable set list',
    requiredColumns: ['setnumber', 'quantity', 'includesspares'],
    columns: { number: 'setnumber', quantity: 'quantity' },
  },
  {
    name: 'brickeconomy',
    title: 'BrickEconomy',
    requiredColumns: ['number', 'paid', 'condition'],
    columns: {
      number: 'number',
      title: 'setname',
      quantity: 'quantity',
      condition: 'condition',
      price: 'paid',
      date: 'date',
      notes: 'notes',
    },
  },
  {
    name: 'brickset',
    title: 'Brickset',
    requiredColumns: ['number', 'setname', 'theme'],
    // Omits the price columns: they are retail prices, not what was paid.
    columns: {
      number: 'number',
      variant: 'variant',
      title: 'setname',
      quantity: 'qtyowned',
      barcode: 'ean',
      notes: 'notes',
    },
  },
]

/** Column names that custom spreadsheets commonly use for a field, for an initial guess. */
const HEADER_SYNONYMS: Partial<Record<ImportField, string[]>> = {
  number: ['setnumber', 'number', 'setno', 'setnum', 'set', 'itemnumber', 'legoset', 'sku', 'item'],
  barcode: ['upc', 'ean', 'barcode', 'gtin'],
  title: ['title', 'name', 'setname', 'description'],
  quantity: ['quantity', 'qty', 'units', 'count', 'owned', 'pcs'],
  condition: ['condition', 'cond', 'state'],
  status: ['status'],
  price: ['purchaseprice', 'pricepaid', 'paid', 'paidprice', 'cost', 'buyprice', 'unitcost', 'price'],
  date: ['purchasedate', 'dateacquired', 'acquired', 'datepurchased', 'bought', 'boughton', 'purchased', 'date'],
  notes: ['notes', 'note', 'comment', 'comments', 'remarks'],
  collection: ['collection', 'list', 'location', 'folder'],
}

export function formatTitle(format: FormatName): string {
  return FORMATS.find(({ name }) => name === format)?.title ?? 'Custom format'
}

/** Returns the format of a header and its column indexes; for an unknown header, a guess for the user to confirm. */
export function detectFormat(header: string[]): { format: FormatName; mapping: ColumnMapping } {
  const names = header.map(normalizeHeader)
  const found = FORMATS.find(({ requiredColumns }) => requiredColumns.every((name) => names.includes(name)))
  if (!found) return { format: 'other', mapping: guessMapping(names) }
  const columnIndexes = Object.entries(found.columns).map(([field, name]) => [field, names.indexOf(name)] as const)
  return { format: found.name, mapping: Object.fromEntries(columnIndexes.filter(([, index]) => index !== -1)) }
}

function guessMapping(names: string[]): ColumnMapping {
  const mapping: ColumnMapping = {}
  const taken = new Set<number>()
  for (const [field, words] of Object.entries(HEADER_SYNONYMS) as [ImportField, string[]][]) {
    const word = words.find((word) => names.includes(word) && !taken.has(names.indexOf(word)))
    if (word === undefined) continue
    mapping[field] = names.indexOf(word)
    taken.add(names.indexOf(word))
  }
  return mapping
}

/** Returns the texts of one column; empty if the file doesn't have it. */
export function columnValues({ rows }: ImportTable, index: number | undefined): string[] {
  return index === undefined ? [] : rows.map(({ cells }) => cells[index] ?? '')
}

/** Whether these columns are enough to identify the set of a row. */
export function canIdentifySets(mapping: ColumnMapping): boolean {
  return mapping.number !== undefined || mapping.barcode !== undefined || mapping.title !== undefined
}

/** Normalizes a column name: removes case, spaces and punctuation. */
export function normalizeHeader(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** A file as a table. `row` is the number a spreadsheet shows, or an XML item's place. */
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

/** A file may be as large as this, in units of 1024 × 1024 bytes. */
export const MAX_FILE_MB = 5

/** For so long an import can be taken back. */
export const UNDO_DAYS = 30

/** What a column can mean to us. */
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** The place of the column of each field that the file has. */
export type ColumnMapping = Partial<Record<ImportField, number>>

export type FormatName = 'own' | 'bricklink' | 'rebrickable' | 'brickeconomy' | 'brickset' | 'other'

type FileFormat = {
  name: FormatName
  title: string
  /** Columns that together belong to this format alone. */
  requiredColumns: string[]
  columns: Partial<Record<ImportField, string>>
}

/** Names are compared without case, spaces and signs. The first format whose columns are all there is taken. */
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
      // PRICE is what a store asks; what was paid is MYCOST.
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
    // Its prices are retail prices, not what was paid.
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

/** Names under which a spreadsheet of one's own may keep a field, for a first guess. */
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
  return FORMATS.find(({ name }) => name === format)?.title ?? 'columns you chose'
}

/** Which format a header belongs to and where its columns are; for an unknown header, a guess to be confirmed. */
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

/** The texts of one column; none when the file does not have it. */
export function columnValues({ rows }: ImportTable, index: number | undefined): string[] {
  return index === undefined ? [] : rows.map(({ cells }) => cells[index] ?? '')
}

/** Whether rows can be told apart from each other with these columns. */
export function canIdentifySets(mapping: ColumnMapping): boolean {
  return mapping.number !== undefined || mapping.barcode !== undefined || mapping.title !== undefined
}

/** A column's name without case, spaces and signs. */
export function normalizeHeader(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** Values of the sets in the 300 synthetic rows below, which every format encodes. */
const VALUES: Record<string, number> = { '90001-1': 112.4, '90002-1': 90.05, '90010-1': 8 }
const ROWS = Array.from({ length: 300 }, (_, n) => ({
  number: Object.keys(VALUES)[n % 3]!,
  quantity: 1 + (n % 4),
  cents: 500 + n * 7,
  day: `2025-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 9)).padStart(2, '0')}`,
}))

const cent = (amount: number) => Math.round(amount * 100) / 100
const price = (cents: number) => (cents / 100).toFixed(2)
const totals = (unitsOf: (row: (typeof ROWS)[number]) => number, centsOf: (row: (typeof ROWS)[number]) => number) => ({
  units: ROWS.reduce((sum, row) => sum + unitsOf(row), 0),
  cost: cent(ROWS.reduce((sum, row) => sum + unitsOf(row) * centsOf(row), 0) / 100),
  value: cent(ROWS.reduce((sum, row) => sum + unitsOf(row) * VALUES[row.number]!, 0)),
})
const american = (day: string) => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`

type FormatFile = {
  format: string
  name: string
  text: string
  /** Values to enter, by field label. */
  answers: [label: string, answer: string][]
  units: number
  cost: number
  value: number
}

/** One file per supported format, in its original layout, with the expected totals. */
export const FORMAT_FILES: FormatFile[] = [
  {
    format: 'Rebrickable set list',
    name: 'rebrickable.csv',
    text: [
      'Set Number,Quantity,Includes Spares,Inventory Ver',
      ...ROWS.map((row) => `${row.number},${row.quantity},True,1`),
    ].join('\n'),
    answers: [['Default purchase price', '12.34']],
    ...totals(
      (row) => row.quantity,
      () => 1234,
    ),
  },
  {
    format: 'Brickset',
    name: 'Brickset-mySets-owned.csv',
    text: [
      '"Number","Theme","Subtheme","Year","SetName","Minifigs","Pieces","UKPrice","USPrice","CAPrice","EUPrice","ImageURL","QtyOwned"',
      ...ROWS.map(
        (row) =>
          `"${row.number}","Harbor","","2023","A name, with a comma","2","100","9.99","9.99","9.99","9.99","","${row.quantity}"`,
      ),
    ].join('\r\n'),
    answers: [],
    ...totals(
      (row) => row.quantity,
      () => 0,
    ),
  },
  {
    // One row per unit, prices in euros, and only dates that are ambiguous about day and month order.
    format: 'BrickEconomy',
    name: 'brickeconomy.csv',
    text: [
      'Number,Theme,Subtheme,Year,SetName,Retail,Paid,Value,Condition,Date,Notes',
      ...ROWS.map(
        (row) => `${row.number},Harbor,,2023,Name,€9.99,€${price(row.cents)},€9.99,New,${american(row.day)},`,
      ),
    ].join('\n'),
    answers: [
      ['Date format', 'month-first'],
      ['Exchange rate: 1 EUR in USD', '1.5'],
    ],
    ...totals(
      () => 1,
      (row) => Math.round(row.cents * 1.5),
    ),
  },
  {
    format: 'BrickLink XML',
    name: 'inventory.xml',
    text: `<INVENTORY>\n${ROWS.map(
      (row) =>
        `<ITEM><ITEMTYPE>S</ITEMTYPE><ITEMID>${row.number}</ITEMID><COLOR>0</COLOR><QTY>${row.quantity}</QTY>` +
        `<PRICE>99.0000</PRICE><CONDITION>N</CONDITION><MYCOST>${price(row.cents)}0</MYCOST><REMARKS>A &amp; B</REMARKS></ITEM>`,
    ).join('\n')}\n</INVENTORY>`,
    answers: [['Currency', 'USD']],
    ...totals(
      (row) => row.quantity,
      (row) => row.cents,
    ),
  },
  {
    format: 'Brickmark',
    name: 'brickmark-collections.csv',
    text: [
      'collection,set_number,title,condition,status,quantity,purchase_price_usd,purchase_date,notes',
      ...ROWS.map((row) => `Stock,${row.number},,sealed,owned,${row.quantity},${price(row.cents)},${row.day},`),
    ].join('\r\n'),
    answers: [],
    ...totals(
      (row) => row.quantity,
      (row) => row.cents,
    ),
  },
]

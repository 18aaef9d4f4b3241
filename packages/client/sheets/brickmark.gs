/**
 * Brickmark for Google Sheets.
 *
 *   =BRICK_HOLDINGS()          everything you own, with values (1 credit per 250 lots)
 *   =BRICK_VALUE(A2:A400)      value of sets or minifigs (up to 1 credit each; less for sets you own)
 *
 * Paste this file into Extensions > Apps Script, set BASE_URL, save, reload the sheet, and choose
 * Brickmark > Set API key. Responses are cached for 6 hours, the maximum that Google allows; recalculating a formula
 * within that time is free.
 *
 * License: Apache-2.0. LEGO® is a trademark of the LEGO Group of companies, which does not sponsor, authorize or
 * endorse this software.
 */

const BASE_URL = 'https://api.brickmark.example/api/v1'
const SIX_HOURS = 21600
const PAGE_SIZE = 250
const BATCH_SIZE = 100
/** From this many uncached numbers on, fetch your lots first: 250 lots cost as much as one number. */
const HOLDINGS_LOOKUP_THRESHOLD = 5

const HOLDING_COLUMNS = [
  'brickfolio_id',
  'set_number',
  'title',
  'theme',
  'quantity',
  'condition',
  'status',
  'purchase_date',
  'purchase_price_usd',
  'current_value_usd',
  'total_current_value_usd',
  'unrealized_gain_loss_usd',
  'unrealized_gain_loss_pct',
]

/**
 * Everything you own with its value, one row per lot. Costs 1 credit per 250 lots, at most once every 6 hours.
 *
 * @param {number} [brickfolioId] Only this collection.
 * @return {Array<Array>} A header row and one row per lot.
 * @customfunction
 */
function BRICK_HOLDINGS(brickfolioId) {
  const rows = withLock_(() => readHoldings_(brickfolioId || '', Infinity))
  return [HOLDING_COLUMNS].concat(rows.map((row) => row.map((value) => (value === null ? '' : value))))
}

/**
 * Value of sets or minifigs in US dollars. The -1 suffix is optional.
 *
 * @param {A2:A400} numbers A cell or a range.
 * @param {"sealed"} [condition] "sealed" or "used"; a minifig has one value.
 * @return {Array<Array>} The values, in the shape of the range.
 * @customfunction
 */
function BRICK_VALUE(numbers, condition) {
  const chosen = condition || 'sealed'
  if (chosen !== 'sealed' && chosen !== 'used') throw new Error('Condition must be "sealed" or "used".')
  const cells = Array.isArray(numbers) ? numbers : [[numbers]]
  const values = readValues_(uniqueItems_(cells), chosen)
  return cells.map((row) => row.map((cell) => toCell_(values[normalizeItem_(cell)], cell)))
}

/** Adds the menu. */
function onOpen() {
  SpreadsheetApp.getUi()
    .createMenu('Brickmark')
    .addItem('Set API key', 'brickSetKey')
    .addItem('Refresh data', 'brickRefresh')
    .addItem('Check quota', 'brickCheckQuota')
    .addToUi()
}

function brickSetKey() {
  const ui = SpreadsheetApp.getUi()
  const input = ui.prompt('Brickmark', 'Your API key:', ui.ButtonSet.OK_CANCEL)
  if (input.getSelectedButton() !== ui.Button.OK) return
  const key = input.getResponseText().trim()
  const problem = validateKey_(key)
  if (problem) return ui.alert('Brickmark', problem, ui.ButtonSet.OK)
  PropertiesService.getUserProperties().setProperty('BRICKMARK_API_KEY', key)
  ui.alert('Brickmark', 'API key saved. ' + quotaText_(), ui.ButtonSet.OK)
}

/** Invalidates the cache and re-enters every formula, because Sheets only recalculates a formula when it changes. */
function brickRefresh() {
  const properties = PropertiesService.getUserProperties()
  properties.setProperty(
    'BRICKMARK_CACHE_VERSION',
    String(Number(properties.getProperty('BRICKMARK_CACHE_VERSION') || 0) + 1),
  )
  const cells = SpreadsheetApp.getActive().createTextFinder('=BRICK_').matchFormulaText(true).findAll()
  const formulas = cells.map((cell) => cell.getFormula())
  cells.forEach((cell) => cell.clearContent())
  SpreadsheetApp.flush()
  cells.forEach((cell, index) => cell.setFormula(formulas[index]))
}

function brickCheckQuota() {
  SpreadsheetApp.getUi().alert('Brickmark', quotaText_(), SpreadsheetApp.getUi().ButtonSet.OK)
}

/** Formats the remaining quota. Free: sends a request that fails validation and reads the rate-limit headers. */
function quotaText_() {
  const response = request_('/catalog/sets/search?q=')
  const status = response.getResponseCode()
  const headers = response.getAllHeaders()
  const header = (name) => headers[Object.keys(headers).find((key) => key.toLowerCase() === name)]
  const remaining = header('x-ratelimit-remaining')
  if (status === 401) return 'This API key isn’t valid.'
  if (remaining === undefined) return 'Brickmark returned ' + status + '.'
  return (
    remaining +
    ' of ' +
    header('x-ratelimit-limit') +
    ' credits remaining. Resets at ' +
    header('x-ratelimit-reset') +
    '.'
  )
}

/** Fetches rows of HOLDING_COLUMNS. Each page is cached separately, because cache values are limited to 100 KB. */
function readHoldings_(brickfolioId, maxPages) {
  const rows = []
  for (let page = 0; page < maxPages; page++) {
    const part = withCache_('holdings:' + brickfolioId + ':' + page, () => {
      const scope = brickfolioId === '' ? '' : '&brickfolio_id=' + encodeURIComponent(brickfolioId)
      const data = fetchData_('/brickfolio/entries?limit=' + PAGE_SIZE + '&offset=' + page * PAGE_SIZE + scope)
      return {
        rows: data.entries.map((entry) => HOLDING_COLUMNS.map((name) => entry[name])),
        more: data.pagination.has_more,
      }
    })
    rows.push(...part.rows)
    if (!part.more) break
  }
  return rows
}

/** Values by item, from the cache, then from your lots, then from a batch. `null` means no value, `false` not found. */
function readValues_(items, condition) {
  const values = readCachedValues_(items, condition)
  let missing = items.filter((item) => values[item] === undefined)
  if (missing.length === 0) return values
  return withLock_(() => {
    // Another formula may have fetched them while this one waited for the lock.
    Object.assign(values, readCachedValues_(missing, condition))
    missing = missing.filter((item) => values[item] === undefined)
    const fresh = {}
    if (missing.length >= HOLDINGS_LOOKUP_THRESHOLD) {
      Object.assign(fresh, pick_(valuesOfHoldings_(readHoldings_('', missing.length), condition), missing))
      missing = missing.filter((item) => fresh[item] === undefined)
    }
    batches_(missing).forEach((batch) =>
      Object.assign(fresh, valuesOfBatch_(fetchData_('/catalog/batch', batch), batch, condition)),
    )
    storeValues_(fresh, condition)
    return Object.assign(values, fresh)
  })
}

// ---- pure functions, no I/O ----

/** Returns what is wrong with a pasted key, or ''. */
function validateKey_(key) {
  if (!key.startsWith('bmk_live_')) return 'API keys start with bmk_live_.'
  if (key.length !== 57) return 'API keys are 57 characters long, but this one has ' + key.length + '.'
  return ''
}

/** Canonical item number of a cell: letters followed by digits, and fig- with digits, are a minifig, everything else is a set. */
function normalizeItem_(cell) {
  if (cell instanceof Date) throw new Error('Sheets turned a set number into a date. Format the column as plain text.')
  const number = String(cell).trim()
  return isMinifig_(number) ? number.toLowerCase() : number.replace(/-1$/, '')
}

function isMinifig_(item) {
  return /^([a-z]+\d+[a-z]*|fig-\d+)$/i.test(item)
}

function uniqueItems_(cells) {
  return [...new Set(cells.flat().map(normalizeItem_))].filter((item) => item !== '')
}

function batches_(items) {
  const batches = []
  for (let start = 0; start < items.length; start += BATCH_SIZE) {
    const part = items.slice(start, start + BATCH_SIZE)
    batches.push({ sets: part.filter((item) => !isMinifig_(item)), minifigs: part.filter(isMinifig_) })
  }
  return batches
}

function valuesOfBatch_(data, batch, condition) {
  const values = {}
  // The response has the order of the request, so items are matched by index.
  data.sets.forEach((set, index) => {
    values[batch.sets[index]] = set.found && (condition === 'used' ? set.used_value_usd : set.new_value_usd)
  })
  data.minifigs.forEach((minifig, index) => {
    values[batch.minifigs[index]] = minifig.found && minifig.current_value_usd
  })
  return values
}

function valuesOfHoldings_(rows, condition) {
  const column = (name) => HOLDING_COLUMNS.indexOf(name)
  const values = {}
  rows
    .filter((row) => row[column('condition')] === condition)
    .forEach((row) => (values[normalizeItem_(row[column('set_number')])] = row[column('current_value_usd')]))
  return values
}

function pick_(values, items) {
  return Object.fromEntries(items.filter((item) => values[item] !== undefined).map((item) => [item, values[item]]))
}

function toCell_(value, cell) {
  if (normalizeItem_(cell) === '') return ''
  if (value === false) return 'not found'
  return value === null ? 'no value' : value
}

/** Formats the error message of a response other than 200. */
function errorMessage_(status, body) {
  const message = body && body.error ? body.error.message : 'Brickmark returned ' + status + '.'
  if (status === 401) return message + ' Choose Brickmark > Set API key.'
  return message
}

// ---- Google's services ----

function fetchData_(path, body) {
  const response = request_(path, body)
  const status = response.getResponseCode()
  let json
  try {
    json = JSON.parse(response.getContentText())
  } catch (error) {
    json = null
  }
  if (status !== 200 || !json) throw new Error(errorMessage_(status, json))
  return json.data
}

function request_(path, body) {
  const key = PropertiesService.getUserProperties().getProperty('BRICKMARK_API_KEY')
  if (!key) throw new Error('Choose Brickmark > Set API key first.')
  const post = body ? { method: 'post', contentType: 'application/json', payload: JSON.stringify(body) } : {}
  const headers = { Authorization: 'Bearer ' + key }
  return UrlFetchApp.fetch(BASE_URL + path, Object.assign({ headers, muteHttpExceptions: true }, post))
}

/** Cache keys differ per API key and are invalidated by "Refresh data". */
function cacheKey_(name) {
  const properties = PropertiesService.getUserProperties()
  const key = properties.getProperty('BRICKMARK_API_KEY') || ''
  return [key.slice(-8), properties.getProperty('BRICKMARK_CACHE_VERSION') || 0, name].join(':').slice(0, 250)
}

function withCache_(name, make) {
  const cache = CacheService.getScriptCache()
  const known = cache.get(cacheKey_(name))
  if (known) return JSON.parse(known)
  const made = make()
  cache.put(cacheKey_(name), JSON.stringify(made), SIX_HOURS)
  return made
}

function readCachedValues_(items, condition) {
  const prefix = cacheKey_('value:' + condition + ':')
  const known = CacheService.getScriptCache().getAll(items.map((item) => prefix + item))
  return Object.fromEntries(Object.keys(known).map((name) => [name.slice(prefix.length), JSON.parse(known[name])]))
}

function storeValues_(values, condition) {
  const prefix = cacheKey_('value:' + condition + ':')
  const entries = Object.keys(values).map((item) => [prefix + item, JSON.stringify(values[item])])
  CacheService.getScriptCache().putAll(Object.fromEntries(entries), SIX_HOURS)
}

/** Runs `work` under a lock, so that two formulas don't pay for the same data. */
function withLock_(work) {
  const lock = LockService.getScriptLock()
  lock.waitLock(20000)
  try {
    return work()
  } finally {
    lock.releaseLock()
  }
}

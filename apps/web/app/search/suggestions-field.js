// Suggestions below a search field while typing, and Ctrl-K to get there. Plain JavaScript that a page loads as a file of
// its own: pages for visitors have no other script. One listener per event for the whole document, so that it doesn't
// matter when a field appears.
// @ts-check

const DELAY_MS = 120
const MIN_LENGTH = 2

/** @typedef {{ to: string, picture: string, title: string, detail: string }} Suggestion */

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer
/** @type {AbortController | undefined} */
let pending

/** @param {EventTarget | null} target */
const fieldOf = (target) =>
  target instanceof HTMLInputElement && target.dataset['suggestions'] !== undefined ? target : undefined

/** @param {HTMLInputElement} field */
const listOf = (field) => /** @type {HTMLElement} */ (document.getElementById(field.dataset['suggestions'] ?? ''))

/** @param {HTMLInputElement} field */
function close(field) {
  pending?.abort()
  clearTimeout(timer)
  listOf(field).hidden = true
  field.setAttribute('aria-expanded', 'false')
  field.removeAttribute('aria-activedescendant')
}

/** @param {HTMLInputElement} field */
async function update(field) {
  pending?.abort()
  pending = new AbortController()
  try {
    const response = await fetch(`/suggestions?${new URLSearchParams({ q: field.value })}`, { signal: pending.signal })
    if (response.ok) show(field, await response.json())
    else close(field)
  } catch {
    // A newer request replaced this one, or there is no connection: the form still works.
  }
}

/**
 * @param {HTMLInputElement} field
 * @param {Suggestion[]} suggestions
 */
function show(field, suggestions) {
  if (suggestions.length === 0 || document.activeElement !== field) return close(field)
  const list = listOf(field)
  list.replaceChildren(...suggestions.map((suggestion, index) => toOption(suggestion, `${list.id}-${index}`)))
  list.hidden = false
  field.setAttribute('aria-expanded', 'true')
  field.removeAttribute('aria-activedescendant')
}

/**
 * @param {Suggestion} suggestion
 * @param {string} id
 */
function toOption({ to, picture, title, detail }, id) {
  const option = document.createElement('a')
  option.href = to
  option.id = id
  option.tabIndex = -1
  option.setAttribute('role', 'option')
  option.setAttribute('aria-selected', 'false')
  option.className =
    'flex items-center gap-3 rounded-control px-2 py-1.5 text-ink no-underline hover:bg-sunken aria-selected:bg-accent-soft'
  const image = document.createElement('img')
  Object.assign(image, { src: picture, alt: '', width: 36, height: 36 })
  image.className = 'plinth size-9 rounded-control object-contain'
  const text = document.createElement('span')
  text.className = 'min-w-0'
  text.append(line(title, 'block truncate font-medium'), line(detail, 'block truncate text-xs text-ink-soft'))
  option.append(image, text)
  return option
}

/**
 * @param {string} content
 * @param {string} className
 */
function line(content, className) {
  const span = document.createElement('span')
  span.className = className
  span.textContent = content
  return span
}

/**
 * Marks the next or previous suggestion.
 * @param {HTMLInputElement} field
 * @param {1 | -1} step
 */
function move(field, step) {
  const options = [...listOf(field).children]
  const current = options.findIndex((option) => option.getAttribute('aria-selected') === 'true')
  options[current]?.setAttribute('aria-selected', 'false')
  // Without a marked one, "previous" starts from the end.
  const from = current === -1 && step === -1 ? 0 : current
  const next = options[(from + step + options.length) % options.length]
  next?.setAttribute('aria-selected', 'true')
  next?.scrollIntoView({ block: 'nearest' })
  field.setAttribute('aria-activedescendant', next?.id ?? '')
}

document.addEventListener('input', ({ target }) => {
  const field = fieldOf(target)
  if (field === undefined) return
  field.setAttribute('role', 'combobox')
  field.setAttribute('aria-autocomplete', 'list')
  clearTimeout(timer)
  if (field.value.trim().length < MIN_LENGTH) close(field)
  else timer = setTimeout(() => void update(field), DELAY_MS)
})

document.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    const field = [...document.querySelectorAll('input[data-suggestions]')].find(
      (field) => /** @type {HTMLElement} */ (field).offsetParent !== null,
    )
    if (field instanceof HTMLInputElement) {
      event.preventDefault()
      field.focus()
      field.select()
    }
    return
  }
  const field = fieldOf(event.target)
  if (field === undefined || listOf(field).hidden) return
  if (event.key === 'Escape') close(field)
  else if (event.key === 'ArrowDown') move(field, 1)
  else if (event.key === 'ArrowUp') move(field, -1)
  else if (event.key === 'Enter') {
    const chosen = listOf(field).querySelector('[aria-selected="true"]')
    if (!(chosen instanceof HTMLElement)) return
    chosen.click()
    close(field)
  } else return
  event.preventDefault()
})

document.addEventListener('focusout', (event) => {
  const field = fieldOf(event.target)
  if (field !== undefined && !listOf(field).contains(/** @type {Node | null} */ (event.relatedTarget))) close(field)
})

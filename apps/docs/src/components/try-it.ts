/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

const KEY = 'brickmark-api-key'
const HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after', 'x-request-id']

for (const form of document.querySelectorAll<HTMLFormElement>('form.try-it')) {
  const key = form.querySelector<HTMLInputElement>('[name=key]')!
  const button = form.querySelector('button')!
  key.value = sessionStorage.getItem(KEY) ?? ''
  button.disabled = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    sessionStorage.setItem(KEY, key.value.trim())
    button.disabled = true
    void send(form, key.value.trim()).finally(() => {
      button.disabled = false
    })
  })
}

/** Sends the request to the API that this page describes, and shows the response. */
async function send(form: HTMLFormElement, key: string): Promise<void> {
  let path = form.dataset['path']!
  const query = new URLSearchParams()
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-in]')) {
    if (field.dataset['in'] === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(field.value))
    else if (field.value !== '') query.set(field.name, field.value)
  }
  const body = form.querySelector('textarea')?.value
  try {
    const response = await fetch(`${form.dataset['api']}${path}${query.size > 0 ? `?${query.toString()}` : ''}`, {
      method: form.dataset['method']!,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    })
    const headers = HEADERS.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    show(form, `${response.status} ${response.statusText}`, headers, format(await response.text()))
  } catch (error) {
    show(form, 'No response', [], String(error))
  }
}

function show(form: HTMLFormElement, status: string, headers: (readonly [string, string])[], body: string): void {
  form.querySelector<HTMLElement>('.answer')!.hidden = false
  form.querySelector('.status')!.textContent = status
  form.querySelector('.answer code')!.textContent = body
  form.querySelector('dl')!.replaceChildren(
    ...headers.map(([name, value]) => {
      const row = document.createElement('div')
      const [term, detail] = ['dt', 'dd'].map((tag) => document.createElement(tag))
      term!.textContent = name
      detail!.textContent = value
      row.append(term!, detail!)
      return row
    }),
  )
}

function format(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

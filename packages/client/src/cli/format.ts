const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const numbers = new Intl.NumberFormat('en-US')
const UNKNOWN = '–'

type Maybe<T> = T | null | undefined

export function money(value: Maybe<number>): string {
  return value == null ? UNKNOWN : dollars.format(value)
}

/** With its sign, so that gain and loss are told apart without colour. */
export function change(value: Maybe<number>): string {
  return value == null ? UNKNOWN : `${value > 0 ? '+' : ''}${dollars.format(value)}`
}

export function percent(value: Maybe<number>): string {
  return value == null ? UNKNOWN : `${value > 0 ? '+' : ''}${value.toFixed(1)} %`
}

export function count(value: Maybe<number>): string {
  return value == null ? UNKNOWN : numbers.format(value)
}

export function words(value: Maybe<string>): string {
  return value == null || value === '' ? UNKNOWN : value
}

/** To the minute, in UTC. */
export function instant(value: Maybe<string | Date>): string {
  return value == null ? UNKNOWN : `${new Date(value).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Since then, roughly: `5 min`, `13 h`, `3 d`. */
export function age(value: Maybe<string>): string {
  return value == null ? UNKNOWN : duration(Date.now() - Date.parse(value)).replace(/ h .*/, ' h')
}

export function duration(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000))
  if (minutes < 60) return `${minutes} min`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return `${Math.floor(minutes / 1440)} d`
}

export function units(number: number): string {
  return `${count(number)} unit${number === 1 ? '' : 's'}`
}

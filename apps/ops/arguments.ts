import { InvalidArgumentError } from 'commander'

export function parsePositiveInt(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('Must be a positive integer.')
  return Number(text)
}

export function parseEndOfDay(text: string): Date {
  const end = new Date(`${text}T23:59:59.999Z`)
  if (Number.isNaN(end.getTime())) throw new InvalidArgumentError('Must be a date, e.g. 2027-01-31.')
  return end
}

export function parseTimestamp(text: string): Date {
  const time = new Date(text)
  if (!/(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('Must be a timestamp with a time zone, e.g. 2027-01-31T12:00:00Z.')
  return time
}

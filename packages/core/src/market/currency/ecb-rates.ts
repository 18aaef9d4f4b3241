import { XMLParser } from 'fast-xml-parser'
import { z } from 'zod'
import type { ExchangeRate } from './exchange-rate.ts'

const Rate = z.object({ currency: z.string().regex(/^[A-Z]{3}$/), rate: z.coerce.number().positive() })
const Day = z.object({ time: z.iso.date(), Cube: z.array(Rate).min(1) })
const Envelope = z.object({ Envelope: z.object({ Cube: z.object({ Cube: z.array(Day).min(1) }) }) })

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  isArray: (_, path) => path === 'Envelope.Cube.Cube' || path === 'Envelope.Cube.Cube.Cube',
})

/**
 * Parses the reference rates that the European Central Bank publishes, e.g. `eurofxref-daily.xml`, and returns those of the
 * latest day per US dollar. The bank states them per euro.
 */
export function parseEcbRates(xml: string): ExchangeRate[] {
  const parsed = Envelope.safeParse(parser.parse(xml))
  if (!parsed.success) throw new Error(`These aren’t reference rates of the ECB: ${z.prettifyError(parsed.error)}`)
  const { time: day, Cube: rates } = parsed.data.Envelope.Cube.Cube.reduce((latest, one) =>
    one.time > latest.time ? one : latest,
  )
  const dollars = rates.find(({ currency }) => currency === 'USD')
  if (dollars === undefined) throw new Error(`The reference rates of ${day} have no US dollar.`)
  return [
    { currency: 'EUR', perUsd: 1 / dollars.rate, day },
    ...rates
      .filter((rate) => rate !== dollars)
      .map(({ currency, rate }) => ({ currency, perUsd: rate / dollars.rate, day })),
  ]
}

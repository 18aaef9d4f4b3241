import { z } from 'zod'

/** Small makers of described fields, so that a shape reads as a list of what it holds. */

export function money(description: string, example: number) {
  return z.number().meta({ description, example })
}

export function moneyOrNull(description: string, example: number | null) {
  return z.number().nullable().meta({ description, example })
}

export function whole(description: string, example: number) {
  return z.int().meta({ description, example })
}

export function wholeOrNull(description: string, example: number | null) {
  return z.int().nullable().meta({ description, example })
}

export function word(description: string, example: string) {
  return z.string().meta({ description, example })
}

export function wordOrNull(description: string, example: string | null) {
  return z.string().nullable().meta({ description, example })
}

export function flag(description: string, example: boolean) {
  return z.boolean().meta({ description, example })
}

export function day(description: string, example: string) {
  return z.iso.date().meta({ description, example })
}

export function dayOrNull(description: string, example: string | null) {
  return z.iso.date().nullable().meta({ description, example })
}

export function instant(description: string, example: string) {
  return z.iso.datetime().meta({ description, example })
}

export function instantOrNull(description: string, example: string | null) {
  return z.iso.datetime().nullable().meta({ description, example })
}

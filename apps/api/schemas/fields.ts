import { z } from 'zod'

/** Helpers for described fields, so that a schema reads as a list of its fields. */

export function numberField(description: string, example: number) {
  return z.number().meta({ description, example })
}

export function nullableNumberField(description: string, example: number | null) {
  return z.number().nullable().meta({ description, example })
}

export function integerField(description: string, example: number) {
  return z.int().meta({ description, example })
}

export function nullableIntegerField(description: string, example: number | null) {
  return z.int().nullable().meta({ description, example })
}

export function stringField(description: string, example: string) {
  return z.string().meta({ description, example })
}

export function nullableStringField(description: string, example: string | null) {
  return z.string().nullable().meta({ description, example })
}

/** A closed list: no other value is ever sent. */
export function enumField<const V extends string>(values: V[], description: string, example: V) {
  return z.enum(values).meta({ description, example })
}

/** An open list: readers must expect values that don't exist yet. */
export function openEnumField(values: string[], description: string, example: string) {
  return z.string().meta(openEnumMeta(values, description, example))
}

export function nullableOpenEnumField(values: string[], description: string, example: string | null) {
  return z
    .string()
    .nullable()
    .meta(openEnumMeta(values, description, example))
}

function openEnumMeta(values: string[], description: string, example: string | null) {
  return { description: `${description} New values may be added.`, 'x-extensible-enum': values, example }
}

export function booleanField(description: string, example: boolean) {
  return z.boolean().meta({ description, example })
}

export function dateField(description: string, example: string) {
  return z.iso.date().meta({ description, example })
}

export function nullableDateField(description: string, example: string | null) {
  return z.iso.date().nullable().meta({ description, example })
}

export function timestampField(description: string, example: string) {
  return z.iso.datetime().meta({ description, example })
}

export function nullableTimestampField(description: string, example: string | null) {
  return z.iso.datetime().nullable().meta({ description, example })
}

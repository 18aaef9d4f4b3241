import type { ValueRecord } from './set-record.ts'

export type MinifigRecord = {
  minifig_number: string
  /** Its other numbers, such as those of marketplaces. */
  aliases: string[]
  name: string
  category: string | null
  color: string | null
  year_released: number | null
  image_url: string | null
  value: ValueRecord | undefined
}

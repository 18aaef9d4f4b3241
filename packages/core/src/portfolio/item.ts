/** What a lot can hold. A custom item isn't in the catalog: its owner names and values it. */
export type ItemKind = 'set' | 'minifig' | 'custom'

const PREFIXED = /^(minifig|custom):(.*)$/

/**
 * Splits what identifies an item: the number of a set as it is, `minifig:` and the number of a minifig, or `custom:` and the
 * id of the lot that holds a custom item (nothing once that lot is gone).
 */
export function parseItem(item: string): { kind: ItemKind; number: string } {
  const [, kind, number] = PREFIXED.exec(item) ?? []
  return kind === undefined || number === undefined ? { kind: 'set', number: item } : { kind: kind as ItemKind, number }
}

export function minifigItem(minifigNumber: string): string {
  return `minifig:${minifigNumber}`
}

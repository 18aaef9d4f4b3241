export function isCondition(text: string): text is Condition {
  return text === 'sealed' || text === 'used'
}

export const CONDITIONS = ['sealed', 'used'] as const

export type Condition = (typeof CONDITIONS)[number]

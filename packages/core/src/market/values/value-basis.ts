const PHRASES: Record<string, string> = {
  market: 'from recent sales',
  thin: 'from a few sales',
  modelled: 'from similar sets',
}

/** Says in one phrase what a value of a tier rests on; undefined if there is no value. */
export function valueBasis(tier: string | null): string | undefined {
  return tier === null ? undefined : PHRASES[tier]
}

import type { Platform } from './types.ts'

/** Returns approximate platform and payment fees of a sale. */
export function estimateFees(platform: Platform, grossCents: number): { platformCents: number; paymentCents: number } {
  const { share, fixed, payment } = RATES[platform]
  return {
    platformCents: Math.round(grossCents * share) + fixed,
    paymentCents: payment ? Math.round(grossCents * 0.029) + 30 : 0,
  }
}

const RATES: Record<Platform, { share: number; fixed: number; payment: boolean }> = {
  ebay: { share: 0.1325, fixed: 40, payment: false },
  bricklink: { share: 0.03, fixed: 0, payment: true },
  amazon: { share: 0.15, fixed: 0, payment: false },
  walmart: { share: 0.15, fixed: 0, payment: false },
  facebook: { share: 0.05, fixed: 0, payment: false },
  mercari: { share: 0.1, fixed: 0, payment: false },
  whatnot: { share: 0.08, fixed: 0, payment: true },
  local: { share: 0, fixed: 0, payment: false },
  other: { share: 0, fixed: 0, payment: true },
}

import { createContext } from 'react'

/** CSP nonce for inline scripts. Undefined in the browser, which hides nonces from scripts. */
export const NonceContext = createContext<string | undefined>(undefined)

import { createContext } from 'react'

/** The nonce that lets a script of this page run. The browser hides it again, so there it is undefined. */
export const NonceContext = createContext<string | undefined>(undefined)

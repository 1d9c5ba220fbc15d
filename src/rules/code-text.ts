// How a discount code is written. Apart from `discount-codes.ts`, of which the checkout needs nothing else.

import { plainSigns } from './pasted-text.ts'

/** How long a code is, in characters: A–Z, 0–9 and `-`, whatever case is typed. */
export const CODE_LENGTH = { least: 3, most: 20 } as const

/** A code as it is stored: typed in any case and digits, or pasted with marks and spaces around it. */
export const readCode = (typed: string): string => plainSigns(typed).toUpperCase()

const CODE = /^[A-Z0-9-]+$/

export const isCode = (code: string): boolean =>
  code.length >= CODE_LENGTH.least && code.length <= CODE_LENGTH.most && CODE.test(code)

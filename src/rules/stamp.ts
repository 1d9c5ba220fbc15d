/** The longest footer of a stamped page, in characters; longer e-mail addresses are cut. */
export const STAMP_MAX_LENGTH = 96

/**
 * The footer of a bought page: the shop, the order and the buyer's masked e-mail address or phone
 * number, in characters that every PDF viewer has.
 */
export function stampText(shop: string, order: number, contact: string): string {
  const text = [shop, `order ${order}`, masked(contact)].filter(Boolean).join(' · ')
  return [...text].slice(0, STAMP_MAX_LENGTH).join('')
}

/** `p•••@karras.test`, `•••456`: recognizable to people who know it, but useless to others. */
function masked(contact: string): string {
  const [, first = '', domain = ''] = /^(.).*@([^@]*)$/u.exec(contact.trim()) ?? []
  if (domain === '') return contact && `•••${contact.slice(-3)}`
  const plain = (text: string) => text.replace(/[^\x21-\x7e]/gu, '•')
  return `${plain(first)}•••@${plain(domain)}`
}

/** The path of the code on a stamped page: to the document's page, from any photocopy. */
export const pageCodePath = (documentId: number | ':id'): string => `/d/${documentId}`

/** Why a PDF is delivered without a footer. */
export const UNSTAMPABLE = [
  /** Its index of objects is damaged; each viewer repairs it in its own way. */
  'damaged',
  'encrypted',
  /** It is signed, certified or opened for the Reader: viewers would call the footer a forgery. */
  'signed',
  /** The structure of its pages cannot be copied exactly. */
  'unusual',
  /** The footers of all its pages would be too large. */
  'too_large',
  /** With the footer, the text of its pages would differ from before. */
  'changed',
  /** Stamping it took too much time or memory. */
  'too_slow',
] as const
export type UnstampableReason = (typeof UNSTAMPABLE)[number]

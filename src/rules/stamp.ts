/** The longest footer of a stamped page, in characters; longer e-mail addresses are cut. */
export const STAMP_MAX_LENGTH = 96

/**
 * What the footer of a bought page says: the order and the buyer's masked e-mail address, in characters
 * that every PDF viewer has.
 */
export function stampText(order: number, email: string): string {
  const text = `Karras · order ${order} · ${maskedEmail(email)}`
  return [...text].slice(0, STAMP_MAX_LENGTH).join('')
}

/** `p•••@karras.test`: who knows the address recognises it, nobody else can write to it. */
function maskedEmail(email: string): string {
  const [, first = '', domain = ''] = /^(.).*@([^@]*)$/u.exec(email.trim()) ?? []
  const plain = (text: string) => text.replace(/[^\x21-\x7e]/gu, '•')
  return `${plain(first)}•••@${plain(domain)}`
}

/** Why a PDF is handed out without a footer. */
export const UNSTAMPABLE = [
  /** Its index of objects is damaged: viewers repair it, each in its own way. */
  'damaged',
  'encrypted',
  /** Its pages are written in a way that cannot be copied exactly. */
  'unusual',
  /** The footer of all its pages would be too large. */
  'too_large',
  /** With the footer, its pages read otherwise than before. */
  'changed',
  /** It took too much time or memory. */
  'too_slow',
] as const
export type UnstampableReason = (typeof UNSTAMPABLE)[number]

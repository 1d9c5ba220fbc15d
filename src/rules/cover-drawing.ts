import { subjectClass } from './cover-note.ts'
import { latinDigits, normalForm } from './pasted-text.ts'

/** In how many ways a cover of a subject is drawn (`cover.css`). */
const VARIANTS = ['', 'cover--1', 'cover--2', 'cover--3'] as const

// After "n°", عدد or the name of a kind of paper; neither a year nor a part of a date or an amount.
const NUMBERED =
  /(?<!\p{L})(?:ال)?(?:n ?[°o]\.?|#|numero|d[cs]|serie|devoir|controle|synthese|examen|exam|test|paper|عدد|رقم|فرض|مراقبة|تاليفي|سلسلة|اختبار|امتحان) ?(\d{1,3})(?![.,/%-]?\d)/iu

/** The number of a paper, as its teacher typed it in the title; undefined without one. */
export function paperNumber(title: string): string | undefined {
  const plain = latinDigits(normalForm(title, 'NFKD')).replace(/\p{M}/gu, '').replace(/\s+/g, ' ')
  return NUMBERED.exec(plain)?.[1]
}

/**
 * The CSS classes of a document's cover: its subject's colour and a variant of its drawing, so that two
 * papers of a subject differ: those of a series by their number, all others by their id.
 */
export function coverClass(
  { id, title }: { readonly id: number; readonly title: string },
  subject: string | null | undefined,
): string {
  const variant = VARIANTS[Number(paperNumber(title) ?? id) % VARIANTS.length]
  return ['cover', subjectClass(subject), variant].filter(Boolean).join(' ')
}

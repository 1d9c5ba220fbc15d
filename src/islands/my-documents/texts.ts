import type { LibraryFilters } from '../../stores/library/library.ts'
import type { Payment } from '../../stores/purchase/payments.ts'

/** `library:page` of locales. */
export interface LibraryTexts {
  /** The plural forms of `count`. */
  counts: Readonly<Record<string, string>>
  explore: string
  loading: string
  notLoggedIn: string
  login: string
  failed: { title: string; retry: string }
  empty: { title: string; text: string }
  none: { text: string; clear: string }
  filters: Record<keyof LibraryFilters, string> & { label: string; all: string }
  columns: {
    title: string
    rating: string
    category: string
    matiere: string
    niveau: string
    teacher: string
    price: string
    date: string
    actions: string
  }
  rating: string
  noRating: string
  free: string
  preview: string
  download: string
  purchased: string
  partlyPurchased: string
  receipt: string
  continue: { title: string; action: string }
  waiting: {
    title: string
    text: string
    until: string
    open: string
    pay: string
    methods: Readonly<Record<Payment['method'], string>>
  }
  lapsed: { expired: string; cancelled: string; again: string }
}

/** Names by the catalogue's codes (`catalogue` of locales). */
export interface CatalogueTexts {
  matieres: Readonly<Record<string, string>>
  niveaux: Readonly<Record<string, string>>
  categories: Readonly<Record<string, string>>
}

/** A name in the language of the page where its code is known, else as the backend gives it. */
export function nameOf(
  table: Readonly<Record<string, string>>,
  code: string | null | undefined,
  name: string,
): string {
  return (code && Object.hasOwn(table, code) && table[code]) || name
}

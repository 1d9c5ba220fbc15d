import { fillText, pluralText, priceText } from '../../../i18n/format.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { inLanguage } from '../../../i18n/paths.ts'
import type { TextsAt } from '../../../i18n/text-keys.ts'
import { OFFICE_PAGES } from '../../../rules/pages.ts'
import type { Staff } from '../../../stores/office/staff.ts'
import type { Waiting } from '../../../stores/office/waiting.ts'

/** A task in words, with a link to the page for it, if that page exists. */
export interface Line {
  kind:
    | 'returned'
    | 'draft'
    | 'submitted'
    | 'ratings'
    | 'payable'
    | 'requested'
    | 'profile'
    | 'secondFactor'
  text: string
  href: string | undefined
}

interface LinesInput {
  waiting: Waiting
  staff: Staff | null
  locale: Locale
  texts: TextsAt<'office:home.lines'>
}

/** The tasks of the teacher (`mine`), the most urgent first, and those of the shop (`ours`). */
export function linesOf({ waiting, staff, locale, texts }: LinesInput): {
  mine: Line[]
  ours: Line[]
} {
  const { documents, ratings, payable, requested, isPageEmpty } = waiting
  const address = (path: string, query = '') =>
    path in OFFICE_PAGES ? inLanguage(locale, path) + query : undefined
  const countLine = (
    kind: 'returned' | 'draft' | 'submitted' | 'ratings',
    count: number,
    href: string | undefined,
  ): Line[] => (count === 0 ? [] : [{ kind, text: pluralText(locale, texts, kind, count), href }])
  const stateLine = (state: 'returned' | 'draft' | 'submitted') =>
    countLine(state, documents[state] ?? 0, address('/office/documents', `?state=${state}`))
  const amountLine = (kind: 'payable' | 'requested', millimes: number): Line[] => {
    const text = fillText(texts[kind], { amount: priceText(locale, millimes) })
    return millimes > 0 ? [{ kind, text, href: address('/office/payouts') }] : []
  }
  const secondFactor: Line[] = staff?.lacksSecondFactor
    ? [{ kind: 'secondFactor', text: texts.secondFactor, href: address('/office/security') }]
    : []
  const profile: Line[] = isPageEmpty
    ? [{ kind: 'profile', text: texts.profile, href: address('/office/profile') }]
    : []
  return {
    mine: [
      ...secondFactor,
      ...stateLine('returned'),
      ...amountLine('payable', payable),
      ...countLine('ratings', ratings, address('/office/ratings', '?awaits=answer')),
      ...stateLine('draft'),
      ...profile,
    ],
    ours: [...stateLine('submitted'), ...amountLine('requested', requested)],
  }
}

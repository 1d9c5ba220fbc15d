import type { ListedBulkChange } from '../../../contract/office-bulk-changes.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { lastDay } from '../../teacher/documents/event-text.ts'
import { useTexts } from './texts.ts'

type DescribedChange = Pick<
  ListedBulkChange,
  'kind' | 'price' | 'percent' | 'from' | 'until' | 'undoes'
>

export function useChangeText(): (change: DescribedChange) => string {
  const locale = useLocale()
  const { descriptions } = useTexts('office-goods:changes')
  const { percent: rate } = useTexts('office:table')
  return ({ kind, price, percent, from, until, undoes }) => {
    const text = kind === 'percent' && (percent ?? 0) < 0 ? descriptions.lower : descriptions[kind]
    const words = fillText(text, {
      price: price === null ? '' : priceText(locale, price),
      percent: fillText(rate, { percent: Math.abs(percent ?? 0) }),
      from: from ? formatDate(locale, from) : '',
      until: until ? lastDay(locale, until) : '',
    })
    return undoes === null ? words : fillText(descriptions.undo, { what: words })
  }
}

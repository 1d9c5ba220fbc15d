import { reasonText } from '../../../i18n/office-log.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import type { FactName } from '../../../rules/fact-fields.ts'

/** Returns a function that words why something was done. */
export function useReasonText() {
  const locale = useLocale()
  const texts = {
    settings: useTexts('office-log:settings'),
    fields: useTexts('office-log:fields') satisfies Readonly<Record<FactName, string>>,
    kinds: useTexts('office-acts:kinds'),
    bounds: useTexts('office-acts:bounds'),
  }
  return (row: Parameters<typeof reasonText>[1]) => reasonText(locale, row, texts)
}

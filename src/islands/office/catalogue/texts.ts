import { isLocale, LANGUAGE_NAMES } from '../../../i18n/locales.ts'
import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office-catalogue:lists',
  'office-catalogue:names',
  'office-catalogue:fields',
  'office-catalogue:mistakes',
  'office-catalogue:order',
  'office-site:conflict',
  'office-site:history',
  'catalogue:levels',
  'office:form',
  'office:confirm',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)

/** Returns a function that labels a field of an entry by its path in a form or in a version. */
export function useLabels(): (field: string) => string {
  const texts = useTexts('office-catalogue:fields')
  return (field) => {
    const [name, language] = field.split('.')
    if (name === 'names' && isLocale(language)) return LANGUAGE_NAMES[language]
    if (field === 'isRetired') return texts.retired
    if (field === 'lines') return texts.order
    return field === 'level' ? texts.level : texts.color
  }
}

import { isLocale, LANGUAGE_NAMES } from '../../../i18n/locales.ts'
import type { ItemKind } from '../../../rules/site-pages.ts'
import { useTexts } from '../../parts/island.tsx'

/** Returns a function that labels a field: `items.3.fr.text` is "Réponse · Français". */
export function usePageLabels(kind: ItemKind | undefined): (field: string) => string {
  const texts = useTexts('office-site:fields')
  const questions = { title: texts.question, note: '', text: texts.answer }
  const people = { title: texts.name, note: texts.role, text: texts.about }
  const itemLabels = kind === 'people' ? people : questions
  return (path) => {
    const parts = path.split('.')
    const field = parts.at(-1) ?? ''
    const language = parts.at(-2)
    if (field === 'order') return texts.order
    const names: Readonly<Record<string, string>> = parts[0] === 'items' ? itemLabels : texts
    return `${names[field] ?? field}${isLocale(language) ? ` · ${LANGUAGE_NAMES[language]}` : ''}`
  }
}

import type { Listed, ListedClass } from '../../../contract/references.ts'
import { useTexts } from '../../../islands/parts/island.tsx'
import { LEVELS } from '../../../rules/price-bands.ts'
import { useNames } from '../../documents/names.ts'
import type { SelectOption } from '../../kit/forms/fields.tsx'
import type { References } from './own.ts'
import type { TextValues } from './text.ts'

/** The fields of a document that name an entry of the shop's lists. */
export type EntryField = 'niveauId' | 'matiereId' | 'categoryId'

/**
 * Returns a function for the options of a field: the entries that are not retired, the document's
 * own one, and of the subjects those of the chosen class and the chosen one.
 */
export function useEntryOptions({ classes, matieres, categories }: References) {
  const names = useNames()
  const levels = useTexts('catalogue:levels')
  const named = <Entry extends Listed>(
    entries: readonly Entry[],
    own: string,
    name: (entry: Entry) => string,
  ) =>
    entries
      .filter(({ id, retired }) => !retired || String(id) === own)
      .map((entry) => ({ value: String(entry.id), text: name(entry) }))
  const ofClasses = (entries: readonly ListedClass[] = [], own: string) =>
    named(entries, own, names.schoolClass)

  return (field: EntryField, values: TextValues, own: string): readonly SelectOption[] => {
    if (field === 'categoryId') return named(categories, own, names.category)
    if (field === 'matiereId') {
      const { niveauId, matiereId } = values
      const { subjectIds } = classes.find(({ id }) => String(id) === niveauId) ?? {}
      const ofClass = subjectIds
        ? matieres.filter(({ id }) => subjectIds.includes(id) || String(id) === matiereId)
        : matieres
      return named(ofClass, own, names.matiere)
    }
    const byLevel = Map.groupBy(classes, ({ level }) => level ?? null)
    return [
      // Ordered from the youngest pupils to the oldest.
      ...LEVELS.toReversed().flatMap((level) => {
        const options = ofClasses(byLevel.get(level), own)
        return options.length > 0 ? [{ heading: levels[level].name, options }] : []
      }),
      ...ofClasses(byLevel.get(null), own),
    ]
  }
}

import type { OwnDocument } from '../../../contract/own-document.ts'
import type { References } from '../../../stores/office/documents/own.ts'
import {
  differences,
  FORM_NAMES,
  type TextField,
  type TextValues,
  valuesOf,
} from '../../../stores/office/documents/text.ts'
import { useTexts } from '../../parts/island.tsx'
import { ConflictChoice } from '../parts/ConflictChoice.tsx'
import { useNames } from './names.ts'

interface Props {
  /** The document as another tab or device has saved it. */
  theirs: OwnDocument
  mine: TextValues
  references: References
  onKeep: () => void
  onTake: () => void
}

/** The fields in which the two texts of a document differ. */
export function Conflict({ theirs, mine, references, onKeep, onTake }: Props) {
  const texts = useTexts('office-documents:form').conflict
  const fields = useTexts('office-documents:fields')
  const names = useNames()
  const label = (name: TextField) => {
    const [field = 'title'] = Object.entries(FORM_NAMES).find(([, each]) => each === name) ?? []
    return fields[field as keyof typeof fields]
  }
  const { matieres, classes, categories } = references
  const textFor = (name: TextField, value: string): string => {
    const nameIn = <T extends { id: number }>(list: readonly T[], nameOf: (one: T) => string) => {
      const found = list.find(({ id }) => String(id) === value)
      return found ? nameOf(found) : ''
    }
    if (name === 'matiereId') return nameIn(matieres, names.matiere)
    if (name === 'niveauId') return nameIn(classes, names.schoolClass)
    if (name === 'categoryId') return nameIn(categories, names.category)
    return name === 'type' && value ? names.audience(value) : value
  }
  const other = valuesOf(theirs, '.')
  return (
    <ConflictChoice
      texts={texts}
      differences={differences(theirs, mine).map((name) => ({
        label: label(name),
        mine: textFor(name, mine[name]),
        theirs: textFor(name, other[name]),
      }))}
      onKeep={onKeep}
      onTake={onTake}
    />
  )
}

import type { Named } from '../../../contract/references.ts'
import type { OwnProfile } from '../../../contract/teacher-profile.ts'
import { LEVELS } from '../../../rules/price-bands.ts'
import {
  differences,
  type ProfileField,
  type ProfileValues,
  parted,
  valuesOf,
} from '../../../stores/office/profile/text.ts'
import { useTexts } from '../../parts/island.tsx'
import { ConflictChoice } from '../parts/ConflictChoice.tsx'
import { useNames } from './names.ts'

interface Props {
  /** The profile as another tab or device has saved it. */
  theirs: OwnProfile
  mine: ProfileValues
  subjects: readonly Named[]
  onKeep: () => void
  onTake: () => void
}

/** The fields in which the two texts of a profile differ. */
export function Conflict({ theirs, mine, subjects, onKeep, onTake }: Props) {
  const texts = useTexts('office-profile:conflict')
  const fields = useTexts('office-profile:fields')
  const names = useNames()
  const textFor = (field: ProfileField, value: string): string => {
    const chosen = parted(value)
    if (field === 'levels') {
      return LEVELS.filter((level) => chosen.includes(level))
        .map(names.level)
        .join(' · ')
    }
    if (field !== 'subjectIds') return value
    const chosenSubjects = subjects.filter(({ id }) => chosen.includes(String(id)))
    return chosenSubjects.map(names.subject).join(' · ')
  }
  const other = valuesOf(theirs)
  return (
    <ConflictChoice
      texts={texts}
      differences={differences(theirs, mine).map((field) => ({
        label: fields[field],
        mine: textFor(field, mine[field]),
        theirs: textFor(field, other[field]),
      }))}
      onKeep={onKeep}
      onTake={onTake}
    />
  )
}

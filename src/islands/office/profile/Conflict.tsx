import type { Named } from '../../../contract/names.ts'
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
import { useNames } from './names.ts'

interface Props {
  /** What another tab or device has saved. */
  theirs: OwnProfile
  mine: ProfileValues
  subjects: readonly Named[]
  onKeep: () => void
  onTake: () => void
}

/** Two texts of one page, where they differ; nothing is saved until one of them is chosen. */
export function Conflict({ theirs, mine, subjects, onKeep, onTake }: Props) {
  const texts = useTexts('office-profile:conflict')
  const fields = useTexts('office-profile:fields')
  const names = useNames()
  const words = (field: ProfileField, value: string): string => {
    const chosen = parted(value)
    if (field === 'levels') {
      return LEVELS.filter((level) => chosen.includes(level))
        .map(names.level)
        .join(' · ')
    }
    if (field !== 'subjectIds') return value
    const named = subjects.filter(({ id }) => chosen.includes(String(id)))
    return named.map(names.subject).join(' · ')
  }
  const other = valuesOf(theirs)
  return (
    <section className="alert alert--error profile__conflict" role="alert">
      <h2>{texts.title}</h2>
      <p>{texts.text}</p>
      <dl>
        {differences(theirs, mine).map((field) => (
          <div key={field}>
            <dt>{fields[field]}</dt>
            {(
              [
                [texts.mine, mine],
                [texts.theirs, other],
              ] as const
            ).map(([whose, values]) => (
              <dd key={whose}>
                <span className="soft small">{whose}</span>
                <span className="profile__written" dir="auto">
                  {words(field, values[field]) || '–'}
                </span>
              </dd>
            ))}
          </div>
        ))}
      </dl>
      <div className="cluster">
        <button type="button" className="button button--primary" onClick={onKeep}>
          {texts.keep}
        </button>
        <button type="button" className="button" onClick={onTake}>
          {texts.take}
        </button>
      </div>
    </section>
  )
}

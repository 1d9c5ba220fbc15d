import { SHELF_NAME_MAX_CODE_POINTS } from '../../../rules/library-list.ts'
import { knownChildren } from '../../../stores/reader/sit-exam.ts'
import { Labelled } from '../../parts/Field.tsx'
import { useTexts } from '../texts.ts'

interface ChildProps {
  value: string
  onChange: (value: string) => void
}

/** First name of the student; those that were given before are proposed. */
export function ChildField({ value, onChange }: ChildProps) {
  const texts = useTexts('reader:exam')
  return (
    <Labelled
      label={texts.child}
      hint={texts.childHint}
      control={(attributes) => (
        <>
          <input
            {...attributes}
            type="text"
            dir="auto"
            autoComplete="off"
            list="children"
            maxLength={SHELF_NAME_MAX_CODE_POINTS}
            value={value}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
          <datalist id="children">
            {knownChildren().map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    />
  )
}

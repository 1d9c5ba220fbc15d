import { useStore } from '@nanostores/react'
import { type FormEvent, useState } from 'react'
import { fillText, formatPoints, isolate } from '../../../i18n/format.ts'
import {
  type Exam,
  HIGHEST_MARK,
  MARKS_MAX,
  QUARTERS,
  readQuarters,
  sumOf,
  UNSENT_MARKS_MAX,
} from '../../../rules/exam.ts'
import { $areMarksFull, $lostMarks } from '../../../stores/library/marks.ts'
import { giveMark } from '../../../stores/reader/sit-exam.ts'
import { Button, ButtonLink } from '../../parts/Button.tsx'
import { Labelled } from '../../parts/Field.tsx'
import { useLocale } from '../../parts/island.tsx'
import { Message } from '../../parts/Message.tsx'
import { type BookPanelProps, Panel } from '../Panels.tsx'
import { useTexts } from '../texts.ts'
import { ChildField } from './ChildField.tsx'

/** The mark that a student gives, as a whole or by the exercises whose points the teacher said. */
export function MarkPanel({ reading, exam, onClose }: BookPanelProps & { exam: Exam }) {
  const locale = useLocale()
  const texts = useTexts('reader:exam')
  const exercises = reading.paper?.exercisePoints ?? null
  const mosts = exercises ?? [HIGHEST_MARK]
  const [typed, setTyped] = useState(() => mosts.map(() => ''))
  const [child, setChild] = useState(exam.child)
  const [isChecked, setChecked] = useState(false)
  const [kept, setKept] = useState<number | null>(null)
  const [hasRoom, setRoom] = useState(true)
  const areFull = useStore($areMarksFull)
  const isLost = useStore($lostMarks).includes(reading.title)

  const points = (quarters: number) => formatPoints(locale, quarters / QUARTERS)
  const read = typed.map((text, at) => readQuarters(text, mosts[at]))
  const known = read.filter((each) => each !== null)
  const save = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    setKept(null)
    if (known.length < mosts.length) return
    const quarters = sumOf(known)
    const isKept = giveMark(reading, { quarters, exerciseQuarters: exercises && known, child })
    setRoom(isKept)
    setKept(isKept ? quarters : null)
  }
  const most = points(HIGHEST_MARK)
  return (
    <Panel title={texts.give} onClose={onClose}>
      <form className="stack" noValidate onSubmit={save}>
        {mosts.map((of, at) => {
          const values = { number: at + 1, most: points(of) }
          return (
            <Labelled
              // biome-ignore lint/suspicious/noArrayIndexKey: exercises never change places
              key={at}
              label={fillText(exercises ? texts.exercise : texts.mark, values)}
              error={isChecked && read[at] === null ? fillText(texts.markWrong, values) : undefined}
              control={(attributes) => (
                <input
                  {...attributes}
                  type="text"
                  inputMode="decimal"
                  autoComplete="off"
                  size={6}
                  value={typed[at]}
                  onChange={({ currentTarget: { value } }) =>
                    setTyped(typed.map((each, other) => (other === at ? value : each)))
                  }
                />
              )}
            />
          )
        })}
        {exercises && (
          <p role="status">
            {fillText(texts.total, { mark: isolate(points(sumOf(known))), most })}
          </p>
        )}
        <ChildField value={child} onChange={setChild} />
        <Button type="submit" kind="primary">
          {texts.save}
        </Button>
      </form>
      {!hasRoom && (
        <Message kind="error" text={fillText(texts.noRoom, { most: UNSENT_MARKS_MAX })} />
      )}
      {isLost && <Message kind="error" text={texts.refused} />}
      {kept !== null && !isLost && (
        <Message
          kind="success"
          text={fillText(texts.saved, { mark: isolate(points(kept)), most })}
        />
      )}
      {areFull && <Message kind="note" text={fillText(texts.full, { most: MARKS_MAX })} />}
      <ButtonLink to="/marks" target="_top">
        {texts.marks}
      </ButtonLink>
    </Panel>
  )
}

import './exam.css'
import '../../../parts/field.css'
import { useStore } from '@nanostores/react'
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { fillText, pluralText } from '../../../i18n/format.ts'
import {
  EXAM_MINUTES,
  EXAM_MINUTES_LEAST,
  EXAM_MINUTES_MOST,
  pagesOfExam,
  readMinutes,
  shownTime,
} from '../../../rules/exam.ts'
import {
  $timeLeft,
  $told,
  followClock,
  giveUp,
  knownChildren,
  otherExam,
  startExam,
} from '../../../stores/reader/sit-exam.ts'
import { goToPage } from '../../../stores/reader/view.ts'
import { Button } from '../../parts/Button.tsx'
import { Labelled } from '../../parts/Field.tsx'
import { useLocale } from '../../parts/island.tsx'
import { type BookPanelProps, Panel } from '../Panels.tsx'
import { useTexts } from '../texts.ts'
import { ChildField } from './ChildField.tsx'

export { Compare } from './Compare.tsx'

/** Before an exam: its time, and who sits it. */
export function StartPanel({ reading, onClose }: BookPanelProps) {
  const texts = useTexts('reader:exam')
  const given = reading.paper?.minutes ?? null
  const [typed, setTyped] = useState(String(given ?? EXAM_MINUTES))
  const [child, setChild] = useState(() => knownChildren()[0] ?? '')
  const [isWrong, setWrong] = useState(false)
  const start = (event: FormEvent) => {
    event.preventDefault()
    const minutes = readMinutes(typed)
    setWrong(minutes === null)
    if (minutes === null) return
    onClose()
    startExam(reading, minutes, child)
    goToPage(1, reading.sizes.length)
  }
  const bounds = { least: EXAM_MINUTES_LEAST, most: EXAM_MINUTES_MOST }
  return (
    <Panel title={texts.title} onClose={onClose}>
      <p>{reading.sample ? texts.aboutSample : texts.about}</p>
      {reading.sample ? (
        <p>{texts[`sample_${reading.sample}`]}</p>
      ) : (
        pagesOfExam(reading) === reading.sizes.length && (
          <p className="soft">{texts.noCorrection}</p>
        )
      )}
      {otherExam(reading.documentId) && <p className="alert">{texts.other}</p>}
      <form className="stack" noValidate onSubmit={start}>
        {given === null ? (
          <Labelled
            label={texts.minutes}
            error={isWrong ? fillText(texts.minutesWrong, bounds) : undefined}
            control={(attributes) => (
              <input
                {...attributes}
                type="text"
                inputMode="numeric"
                autoComplete="off"
                size={4}
                value={typed}
                onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              />
            )}
          />
        ) : (
          <p>
            {texts.minutes} <strong>{given}</strong>
          </p>
        )}
        <ChildField value={child} onChange={setChild} />
        <Button type="submit" kind="primary">
          {texts.start}
        </Button>
      </form>
    </Panel>
  )
}

/** The clock over the pages; screen readers hear it at a few minutes, not each second. */
export function ExamClock() {
  const locale = useLocale()
  const texts = useTexts('reader:exam')
  const left = useStore($timeLeft)
  const told = useStore($told)
  const [isAsked, setAsked] = useState(false)
  const stop = useRef<HTMLButtonElement>(null)
  // Before it is painted, or it would show no time left.
  useLayoutEffect(followClock, [])
  useEffect(() => {
    // The button of the panel that began the exam is gone.
    if (document.activeElement === document.body) {
      document.querySelector<HTMLElement>('#main')?.focus()
    }
  }, [])
  const goOn = () => {
    setAsked(false)
    stop.current?.focus()
  }
  return (
    <div className="exam-clock">
      <p role="timer" aria-live="off" aria-label={texts.clock}>
        <bdi dir="ltr">{shownTime(left)}</bdi>
      </p>
      <Button ref={stop} kind="plain" aria-expanded={isAsked} onClick={() => setAsked(!isAsked)}>
        {texts.stop}
      </Button>
      {isAsked && (
        <div className="exam-clock__ask stack">
          <p role="status">{texts.stopAsk}</p>
          <p className="cluster">
            <Button kind="primary" onClick={giveUp}>
              {texts.stopYes}
            </Button>
            <Button onClick={goOn}>{texts.stopNo}</Button>
          </p>
        </div>
      )}
      <p className="visually-hidden" role="status">
        {pluralText(locale, texts, 'left', told)}
      </p>
    </div>
  )
}

import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import { $closing, dayInAddress, loadClosing } from '../../../stores/office/closing.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { Field } from '../../parts/Field.tsx'
import { LoadState } from '../../parts/States.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { Day } from './Day.tsx'
import { island, useTexts } from './texts.ts'

const OUTLINES = ['line', 'button', 'button', 'button', 'button', 'button'] as const

/** The shop's closing of a day: the day in the URL, or today. */
function Closing() {
  const texts = useTexts('office-money:closing')
  const closing = useStore($closing, { ssr: notLoaded })
  const [day, setDay] = useState('')
  const [done, setDone] = useDone()
  useEffect(() => {
    const readDayFromUrl = () => setDay(dayInAddress())
    readDayFromUrl()
    addEventListener('popstate', readDayFromUrl)
    return () => removeEventListener('popstate', readDayFromUrl)
  }, [])
  useEffect(() => {
    if (day) void loadClosing(day)
  }, [day])
  const choose = (next: string) => {
    if (!next) return
    history.pushState(history.state, '', `?day=${next}`)
    setDone('')
    setDay(next)
  }
  return (
    <>
      <Done text={done} />
      <div className="statement-month">
        <Field
          key={day}
          name="day"
          type="date"
          label={texts.day}
          max={tunisianDay(new Date())}
          defaultValue={day}
          onChange={({ target }) => choose(target.value)}
        />
      </div>
      <LoadState
        state={closing}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={() => loadClosing(day)}
      >
        {(value) => <Day closing={value} onDone={() => setDone(texts.done)} />}
      </LoadState>
    </>
  )
}

export default island(Closing)

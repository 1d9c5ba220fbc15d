import type { ReactNode } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { useTexts } from './texts.ts'

interface Props {
  name: string
  now: number
  before: number
  /** Renders an amount or a number. */
  show: (value: number) => ReactNode
}

/** A figure, the figure of the previous period, and the change between them. */
export function Figure({ name, now, before, show }: Props) {
  const texts = useTexts('office-figures:figures')
  const [start = '', end = ''] = texts.was.split('{{value}}')
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd className="figure__now">{show(now)}</dd>
      <dd className="soft small">
        {start}
        {show(before)}
        {end}
        <Change now={now} before={before} />
      </dd>
    </div>
  )
}

/** A larger change (in percent) is not shown: it only means that the previous figure was tiny. */
const MAX_PERCENT = 999

/** The change in whole percent; nothing without a previous figure. */
function Change({ now, before }: Pick<Props, 'now' | 'before'>) {
  const texts = useTexts('office-figures:figures')
  if (before <= 0) return null
  const percent = Math.round(((now - before) / before) * 100)
  if (percent > MAX_PERCENT) return null
  const text = percent === 0 ? texts.same : percent > 0 ? texts.more : texts.less
  return <span className="figure__change">{fillText(text, { percent: Math.abs(percent) })}</span>
}

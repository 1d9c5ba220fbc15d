import type { ReactNode } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { useTexts } from './texts.ts'

interface Props {
  name: string
  now: number
  before: number
  /** Draws an amount or a number. */
  show: (value: number) => ReactNode
}

/** A figure with the one of the period before, and how much it has changed, in words. */
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

/** Beyond this many percent a change says nothing: there was next to nothing before. */
const PERCENT_MOST = 999

/** The change in whole percent; nothing where there was nothing to compare with. */
function Change({ now, before }: Pick<Props, 'now' | 'before'>) {
  const texts = useTexts('office-figures:figures')
  if (before <= 0) return null
  const percent = Math.round(((now - before) / before) * 100)
  if (percent > PERCENT_MOST) return null
  const text = percent === 0 ? texts.same : percent > 0 ? texts.more : texts.less
  return <span className="figure__change">{fillText(text, { percent: Math.abs(percent) })}</span>
}

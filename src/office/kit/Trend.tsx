import type { ReactNode } from 'react'

interface Props {
  now: number
  before: number
  /** Both in words. */
  children: ReactNode
}

/** Whether a figure is more than before: an arrow, and words for everybody. */
export function Trend({ now, before, children }: Props) {
  return (
    <p className="soft small">
      <strong aria-hidden="true">{now > before ? '↑' : now < before ? '↓' : '='}</strong> {children}
    </p>
  )
}

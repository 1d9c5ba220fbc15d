import { useStore } from '@nanostores/react'
import type { Locale } from '../../i18n/locales.ts'
import { tellMoment } from '../../i18n/relative.ts'
import { $now } from '../../stores/chat/chat.ts'

interface Props {
  locale: Locale
  /** ISO 8601; missing is now. */
  at: string | null
  nowText: string
  className?: string
}

/** How long ago something was; it ticks. */
export function Moment({ locale, at, nowText, className }: Props) {
  const now = useStore($now)
  return (
    <time className={className} dateTime={at ?? undefined}>
      {tellMoment(locale, at, now, nowText)}
    </time>
  )
}

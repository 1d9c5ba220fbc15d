import { useStore } from '@nanostores/react'
import { relativeText } from '../../i18n/relative.ts'
import { $now } from '../../stores/chat/now.ts'
import { useLocale } from '../parts/island.tsx'
import { useTexts } from './texts.ts'

interface Props {
  /** ISO 8601; null means now. */
  at: string | null
  className?: string
}

/** How long ago something happened; updated as time passes. */
export function Moment({ at, className }: Props) {
  const locale = useLocale()
  const texts = useTexts('chat:page').time
  const now = useStore($now)
  return (
    <time className={className} dateTime={at ?? undefined}>
      {relativeText(locale, at, now, texts.now)}
    </time>
  )
}

import { useEffect, useState } from 'react'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { isBlank } from '../../../rules/pasted-text.ts'
import type { judgePoints } from './points.ts'

/** What is said of the points of exercises while they are typed; loaded once there are any. */
export function usePoints(typed: string): ReturnType<typeof judgePoints> {
  const locale = useLocale()
  const { points: texts } = useTexts('office-documents:form')
  const [said, setSaid] = useState<ReturnType<typeof judgePoints>>({})
  useEffect(() => {
    let isShown = !isBlank(typed)
    if (!isShown) return setSaid({})
    import('./points.ts').then(
      ({ judgePoints }) => isShown && setSaid(judgePoints(locale, texts, typed)),
      // It is an aid: the points are saved all the same.
      () => {},
    )
    return () => {
      isShown = false
    }
  }, [typed, locale, texts])
  return said
}

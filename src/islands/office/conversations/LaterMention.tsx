import { type ComponentType, useEffect, useState } from 'react'
import { logOnly } from '../../../stores/shared/problem.ts'
import type { MentionProps } from '../../chat/desk.tsx'

/** The same, whose code is loaded by the first message that mentions a document. */
export function LaterMention(given: MentionProps) {
  const [found, setFound] = useState<{ Mention: ComponentType<MentionProps> } | null>(null)
  useEffect(() => {
    import('./OfficeMention.tsx').then(
      ({ OfficeMention }) => setFound({ Mention: OfficeMention }),
      logOnly('card of a document'),
    )
  }, [])
  return found ? <found.Mention {...given} /> : given.children
}

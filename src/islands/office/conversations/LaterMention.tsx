import { type ComponentType, useEffect, useState } from 'react'
import { logOnly } from '../../../stores/shared/problem.ts'
import type { MentionProps } from '../../chat/desk.tsx'

/** `OfficeMention`, whose code is loaded when the first message mentions a document. */
export function LaterMention(props: MentionProps) {
  const [loaded, setLoaded] = useState<{ Mention: ComponentType<MentionProps> } | null>(null)
  useEffect(() => {
    import('./OfficeMention.tsx').then(
      ({ OfficeMention }) => setLoaded({ Mention: OfficeMention }),
      logOnly('card of a document'),
    )
  }, [])
  return loaded ? <loaded.Mention {...props} /> : props.children
}

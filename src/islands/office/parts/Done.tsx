import { useCallback, useEffect, useRef, useState } from 'react'

const NO_WIDTH = '\u200b'

/**
 * What `Done` says, and how it changes. A screen reader announces a text again only where it differs: what
 * is said a second time gets a sign without width.
 */
export function useDone(): [text: string, say: (text: string) => void] {
  const [done, setDone] = useState('')
  const say = useCallback(
    (text: string) => setDone((last) => (text && text === last ? text + NO_WIDTH : text)),
    [],
  )
  return [done, say]
}

/** Says what was done, aloud as well, and comes into view; nothing where `text` is ''. */
export function Done({ text }: { text: string }) {
  const element = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // The button that was pressed can be many rows further down.
    if (text) element.current?.scrollIntoView({ block: 'nearest' })
  }, [text])
  return (
    <p ref={element} className={text ? 'alert alert--success' : 'visually-hidden'} role="status">
      {text}
    </p>
  )
}

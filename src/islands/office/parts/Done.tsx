import { useEffect, useRef } from 'react'

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

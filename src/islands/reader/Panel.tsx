import './panel.css'
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { ReaderIcon } from './ReaderIcon.tsx'
import { useTexts } from './texts.ts'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
}

/**
 * A panel beside the pages, or on phones over their lower part; the pages remain usable. It takes
 * the focus and returns it when it closes. Escape closes it.
 */
export function Panel({ title, onClose, children }: Props) {
  const texts = useTexts('reader:page')
  const panel = useRef<HTMLElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const before = document.activeElement
    const field = panel.current?.querySelector<HTMLElement>('input, .panel__first')
    ;(field ?? panel.current)?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }
  return (
    <section
      className="reader__panel"
      ref={panel}
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className="reader__panel-head">
        <h2 id={id}>{title}</h2>
        <button type="button" className="icon-button" aria-label={texts.close} onClick={onClose}>
          <ReaderIcon name="close" />
        </button>
      </div>
      <div className="reader__panel-body stack">{children}</div>
    </section>
  )
}

import './finder.css'
import { type ComponentType, useEffect, useState } from 'react'
import { Icon } from '../../islands/parts/Icon.tsx'
import { useTexts } from '../../islands/parts/island.tsx'
import { Message } from '../../islands/parts/Message.tsx'
import type { FinderProps } from './FinderDialog.tsx'

/** The search over everything, which `/` and Ctrl+K open; its dialog is loaded then. */
export function Finder() {
  const { open, failed } = useTexts('office:search')
  const [shown, setShown] = useState<{ Dialog?: ComponentType<FinderProps> }>()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(event) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      load()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  const load = () => {
    setShown(undefined)
    import('./FinderDialog.tsx').then(
      ({ FinderDialog }) => setShown({ Dialog: FinderDialog }),
      () => setShown({}),
    )
  }
  return (
    <>
      <button
        type="button"
        className="icon-button finder-open"
        aria-label={open}
        aria-keyshortcuts="/ Control+K"
        onClick={load}
      >
        <Icon name="search" />
        <span>{open}</span>
        <kbd>/</kbd>
      </button>
      {shown && !shown.Dialog && <Message kind="line" text={failed} />}
      {shown?.Dialog && <shown.Dialog title={open} onClose={() => setShown(undefined)} />}
    </>
  )
}

/** Ctrl+K by its place on the keyboard, since Arabic ones give another letter. */
function isShortcut({ key, code, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return code === 'KeyK'
  const isTyping =
    target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
  return key === '/' && !isTyping
}

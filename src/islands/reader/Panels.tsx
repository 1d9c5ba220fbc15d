import { Button } from '../parts/Button.tsx'
import { Message } from '../parts/Message.tsx'
import './panels.css'
import { useStore } from '@nanostores/react'
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { fillText, isolate, pluralText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { FIND_TEXT_MAX_LENGTH } from '../../rules/find-in-text.ts'
import { $finding, type Find, findText } from '../../stores/reader/find.ts'
import type { Reading } from '../../stores/reader/reader.ts'
import { $view, goToPage, showNight, showPages } from '../../stores/reader/view.ts'
import { DownloadButton } from '../parts/DownloadButton.tsx'
import { useLocale } from '../parts/island.tsx'
import { KeepButton } from '../parts/KeepButton.tsx'
import { ReaderIcon } from './ReaderIcon.tsx'
import { useTexts } from './texts.ts'

interface PanelProps {
  title: string
  onClose: () => void
  children: ReactNode
}

/**
 * A panel beside the pages, or on phones over their lower part; the pages remain usable. It takes
 * the focus and returns it when it closes. Escape closes it.
 */
export function Panel({ title, onClose, children }: PanelProps) {
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

export interface BookPanelProps {
  reading: Reading
  onClose: () => void
}

/** Deeper entries are not indented any further. */
const DEEPEST = 3

export function ContentsPanel({ reading, onClose }: BookPanelProps) {
  const texts = useTexts('reader:contents')
  const { outline, sizes } = reading
  return (
    <Panel title={texts.title} onClose={onClose}>
      <ul className="reader__list">
        {outline.map(({ title, page, depth }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries never change places
          <li key={at} data-depth={Math.min(depth, DEEPEST)}>
            <button type="button" onClick={() => goToPage(page, sizes.length)}>
              <span dir="auto">{title}</span>
              <span className="soft small">{fillText(texts.page, { page })}</span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

export function FindPanel({ reading, onClose }: BookPanelProps) {
  const locale = useLocale()
  const texts = useTexts('reader:find')
  const { offline, busy, failed } = useTexts('reader:problems')
  const id = useId()
  const finding = useStore($finding)
  const [input, setInput] = useState(finding.phase === 'idle' ? '' : finding.text)
  const { documentId, sizes, hasText } = reading
  // During an exam, the correction is closed.
  const finds =
    finding.phase === 'ready' ? finding.finds.filter(({ page }) => page <= sizes.length) : []
  const find = (event: FormEvent) => {
    event.preventDefault()
    void findText(documentId, input)
  }
  // No button opens the panel then, but the keyboard shortcut does.
  if (!hasText) {
    return (
      <Panel title={texts.title} onClose={onClose}>
        <p>{texts.noText}</p>
      </Panel>
    )
  }
  return (
    <Panel title={texts.title} onClose={onClose}>
      <form className="reader__find" onSubmit={find}>
        <label htmlFor={id} className="visually-hidden">
          {texts.label}
        </label>
        <input
          id={id}
          type="search"
          dir="auto"
          enterKeyHint="search"
          maxLength={FIND_TEXT_MAX_LENGTH}
          value={input}
          placeholder={texts.label}
          onChange={({ currentTarget }) => setInput(currentTarget.value)}
        />
        <Button type="submit" kind="primary" isBusy={finding.phase === 'loading'}>
          {texts.submit}
        </Button>
      </form>
      <div role="status">
        {finding.phase === 'loading' && (
          <p>
            <span className="spinner" /> {texts.loading}
          </p>
        )}
        {finding.phase === 'failed' && (
          <Message kind="error">
            {texts.failed}{' '}
            {finding.problem === 'offline'
              ? offline.title
              : finding.problem === 'busy'
                ? busy.text
                : failed.text}
          </Message>
        )}
        {finding.phase === 'ready' && (
          <p className="soft">
            {finds.length === 0
              ? fillText(texts.none, { text: isolate(finding.text) })
              : pluralText(locale, texts, 'finds', finds.length)}
          </p>
        )}
      </div>
      {finding.phase === 'ready' && (
        <ol className="reader__list">
          {finds.map((each, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: finds never change places
            <li key={at}>
              <button type="button" onClick={() => goToPage(each.page, sizes.length)}>
                <Found find={each} />
              </button>
            </li>
          ))}
        </ol>
      )}
      {finding.phase === 'ready' && finding.hasMore && <p className="soft small">{texts.more}</p>}
    </Panel>
  )
}

function Found({ find: { page, before, match, after } }: { find: Find }) {
  const { page: label } = useTexts('reader:contents')
  return (
    <>
      <span dir="auto">
        {before}
        <mark>{match}</mark>
        {after}
      </span>
      <span className="soft small">{fillText(label, { page })}</span>
    </>
  )
}

interface ViewProps extends BookPanelProps {
  isFull: boolean
  /** Null if the browser does not support full screen. */
  onFull: (() => void) | null
  onPrint: () => void
}

export function ViewPanel({ reading, isFull, onFull, onPrint, onClose }: ViewProps) {
  const locale = useLocale()
  const texts = useTexts('reader:view')
  const { documentId, title, version } = reading
  const { layout, isNight } = useStore($view)
  return (
    <Panel title={texts.title} onClose={onClose}>
      <fieldset className="reader__choice">
        <legend className="visually-hidden">{texts.layout}</legend>
        {(['single', 'scroll'] as const).map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="layout"
              checked={layout === each}
              onChange={() => showPages(each)}
            />
            {texts[each]}
          </label>
        ))}
      </fieldset>
      <label className="reader__switch">
        <input
          type="checkbox"
          checked={isNight}
          onChange={({ currentTarget }) => showNight(currentTarget.checked)}
        />
        <ReaderIcon name="moon" />
        {texts.night}
      </label>
      <ul className="reader__list">
        {onFull && (
          <li>
            <button type="button" onClick={onFull}>
              <ReaderIcon name="full" />
              {isFull ? texts.leaveFull : texts.full}
            </button>
          </li>
        )}
        <li>
          <button type="button" onClick={onPrint}>
            <ReaderIcon name="print" />
            {texts.print}
          </button>
        </li>
        <li>
          <a href={pathIn(locale, `/shop-details/${documentId}`)} target="_top">
            {texts.details}
          </a>
        </li>
      </ul>
      <div className="cluster">
        <KeepButton documentId={documentId} title={title} version={version} />
        <DownloadButton document={{ documentId, title }} place="library" />
      </div>
      <div className="reader__keys small soft">
        <h3>{texts.keys}</h3>
        <p>{texts.keysText}</p>
      </div>
    </Panel>
  )
}

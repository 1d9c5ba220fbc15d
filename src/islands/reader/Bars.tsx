import { useStore } from '@nanostores/react'
import { type FormEvent, useId, useState, useSyncExternalStore } from 'react'
import { fillText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { plainSigns } from '../../rules/pasted-text.ts'
import { type PageOrder, ZOOM_MAX, ZOOM_MIN, ZOOM_STEP } from '../../rules/reader.ts'
import type { Reading } from '../../stores/reader/reader.ts'
import { $page, $zoom, goToPage, zoomTo } from '../../stores/reader/view.ts'
import { useLocale } from '../parts/island.tsx'
import { ReaderIcon } from './ReaderIcon.tsx'
import { useTexts } from './texts.ts'

export type PanelName = 'contents' | 'find' | 'view' | 'print' | 'exam'

interface TopBarProps {
  reading: Reading
  isKept: boolean
  panel: PanelName | null
  /** Whether the document can be sat as an exam, and is not already. */
  offersExam: boolean
  onOpen: (panel: PanelName) => void
}

export function TopBar({ reading, isKept, panel, offersExam, onOpen }: TopBarProps) {
  const texts = useTexts('reader:page')
  const exam = useTexts('reader:exam')
  const isOffline = useIsOffline()
  const { title, outline, hasText, sample } = reading
  const buttons = [
    ...(outline.length > 0 ? [['contents', 'contents', texts.contents] as const] : []),
    ...(hasText && !isKept && !sample ? [['find', 'search', texts.find] as const] : []),
    ...(offersExam ? [['exam', 'clock', exam.open] as const] : []),
    ['view', 'more', texts.view] as const,
  ]
  return (
    <header className="reader__bar reader__bar--top">
      <BackLink reading={reading} />
      <h1 className="reader__title one-line" dir="auto">
        {title}
      </h1>
      {isKept && <span className="badge">{texts.kept}</span>}
      <div className="reader__tools" role="toolbar" aria-label={texts.bar}>
        {buttons.map(([name, icon, label]) => (
          <button
            key={name}
            type="button"
            className="icon-button"
            aria-label={label}
            title={label}
            aria-expanded={panel === name}
            onClick={() => onOpen(name)}
          >
            <ReaderIcon name={icon} />
          </button>
        ))}
      </div>
      <p className="reader__offline" role="status">
        {isOffline && (isKept ? texts.offlineKept : texts.offline)}
      </p>
    </header>
  )
}

/** To one's documents; from a sample, to its paper. */
export function BackLink({ reading }: { reading?: Reading }) {
  const texts = useTexts('reader:page')
  const back = reading?.sample ? texts.backToPaper : texts.back
  const href = pathIn(
    useLocale(),
    reading?.sample ? `/shop-details/${reading.documentId}` : '/my-documents',
  )
  return (
    <a className="icon-button reader__back" href={href} aria-label={back}>
      <ReaderIcon name="previous" />
    </a>
  )
}

/** The page controls follow the direction of the document. */
export function BottomBar({ count, order }: { count: number; order: PageOrder }) {
  const texts = useTexts('reader:page')
  const page = useStore($page)
  return (
    <footer className="reader__bar reader__bar--foot">
      <div className="reader__turning" dir={order}>
        <button
          type="button"
          className="icon-button"
          aria-label={texts.previous}
          aria-disabled={page === 1}
          onClick={() => goToPage(page - 1, count)}
        >
          <ReaderIcon name="previous" />
        </button>
        <input
          className="reader__slider"
          type="range"
          min={1}
          max={count}
          value={page}
          dir={order}
          aria-label={texts.slider}
          aria-valuetext={fillText(texts.page, { page, count })}
          onChange={({ currentTarget }) => goToPage(currentTarget.valueAsNumber, count)}
        />
        <button
          type="button"
          className="icon-button"
          aria-label={texts.next}
          aria-disabled={page === count}
          onClick={() => goToPage(page + 1, count)}
        >
          <ReaderIcon name="next" />
        </button>
      </div>
      <PageNumber page={page} count={count} />
      <Zoom />
    </footer>
  )
}

function PageNumber({ page, count }: { page: number; count: number }) {
  const texts = useTexts('reader:page')
  const id = useId()
  const [input, setInput] = useState<string | null>(null)
  const go = (event?: FormEvent) => {
    event?.preventDefault()
    const number = Number(plainSigns(input ?? '') || Number.NaN)
    if (!Number.isNaN(number)) goToPage(number, count)
    setInput(null)
  }
  return (
    <form className="reader__number" onSubmit={go}>
      <label htmlFor={id} className="visually-hidden">
        {texts.goTo}
      </label>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        size={3}
        value={input ?? String(page)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setInput(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && setInput(null)}
        onBlur={() => go()}
      />
      <span>{fillText(texts.of, { count })}</span>
    </form>
  )
}

function Zoom() {
  const texts = useTexts('reader:page')
  const zoom = useStore($zoom)
  return (
    <div className="reader__zoom">
      <button
        type="button"
        className="icon-button"
        aria-label={texts.zoomOut}
        aria-disabled={zoom <= ZOOM_MIN}
        onClick={() => zoomTo(zoom / ZOOM_STEP)}
      >
        <ReaderIcon name="smaller" />
      </button>
      <button type="button" className="icon-button reader__percent" onClick={() => zoomTo(1)}>
        <span className="visually-hidden">{texts.fit} </span>
        <bdi dir="ltr">{fillText(texts.zoom, { percent: Math.round(zoom * 100) })}</bdi>
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={texts.zoomIn}
        aria-disabled={zoom >= ZOOM_MAX}
        onClick={() => zoomTo(zoom * ZOOM_STEP)}
      >
        <ReaderIcon name="larger" />
      </button>
    </div>
  )
}

const subscribe = (onChange: () => void) => {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

export function useIsOffline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  )
}

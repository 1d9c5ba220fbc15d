import { useStore } from '@nanostores/react'
import {
  type FormEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { createPortal } from 'react-dom'
import { formatDate } from '../../i18n/dates.ts'
import { fillText } from '../../i18n/format.ts'
import { closedAfter } from '../../rules/exam.ts'
import { plainSigns } from '../../rules/pasted-text.ts'
import { $exam, followUnsentMarks } from '../../stores/reader/exam.ts'
import { $elsewhere, dismissElsewhere } from '../../stores/reader/place.ts'
import { $printing, cancelPrinting, preparePages } from '../../stores/reader/printing.ts'
import type { Reading } from '../../stores/reader/reader.ts'
import { $page, goToPage } from '../../stores/reader/view.ts'
import { Button } from '../parts/Button.tsx'
import { useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'
import { BottomBar, type PanelName, TopBar, useIsOffline } from './Bars.tsx'
import { useExamParts } from './exam/use-exam-parts.ts'
import { type BookPanelProps, ContentsPanel, FindPanel, Panel, ViewPanel } from './Panels.tsx'
import { Stage } from './Stage.tsx'
import { useTexts } from './texts.ts'
import { useKeys } from './use-keys.ts'

interface Props {
  reading: Reading
  /** Whether the document is read offline from this phone. */
  isKept: boolean
}

/** The document's pages, or, once an exam is over, paper and correction beside each other. */
export function Book({ reading, isKept }: Props) {
  const texts = useTexts('reader:exam')
  const exam = useStore($exam)
  const [isExamWanted, setExamWanted] = useState(reading.sample !== undefined)
  const parts = useExamParts(exam !== null || isExamWanted)
  const { title } = reading
  useEffect(() => {
    document.title = title
    document.querySelector('#first-page')?.remove()
  }, [title])

  useEffect(followUnsentMarks, [])

  const shown = exam ? closedAfter(reading, exam.pages) : reading
  if (exam?.isOver && parts) return <parts.Compare reading={reading} isKept={isKept} exam={exam} />
  return (
    <Pages
      reading={shown}
      isKept={isKept}
      clock={exam && parts && <parts.ExamClock />}
      examPanel={(onClose) =>
        parts ? (
          <parts.StartPanel reading={reading} onClose={onClose} />
        ) : (
          <Panel title={texts.open} onClose={onClose}>
            <span className="spinner" />
          </Panel>
        )
      }
      offersExam={reading.paper !== undefined && !exam}
      onExam={() => setExamWanted(true)}
    />
  )
}

interface PagesProps extends Props {
  clock: ReactNode
  examPanel: (onClose: () => void) => ReactNode
  offersExam: boolean
  /** Called before the panel of an exam opens, whose code is loaded then. */
  onExam: () => void
}

function Pages({ reading, isKept, clock, examPanel, offersExam, onExam }: PagesProps) {
  const texts = useTexts('reader:page')
  const page = useStore($page)
  const { sizes, direction } = reading
  const count = sizes.length
  // A sample is opened here for an exam alone.
  const [panel, setPanel] = useState<PanelName | null>(reading.sample && offersExam ? 'exam' : null)
  const [hasBars, setHasBars] = useState(true)
  const { isFull, toggle } = useFullScreen()

  const open = useCallback(
    (name: PanelName) => {
      if (name === 'exam') onExam()
      setPanel((shown) => (shown === name ? null : name))
    },
    [onExam],
  )
  const close = useCallback(() => setPanel(null), [])
  const { sample } = reading
  // The server finds nothing in a document that is not bought.
  const openFind = useCallback(() => {
    if (!sample) setPanel('find')
  }, [sample])
  const onFull = useCallback(() => toggle?.(), [toggle])
  const onTap = useCallback(() => setHasBars((shown) => !shown), [])
  useKeys({ order: direction, count, onFind: openFind, onFull })

  // Turning a page means that the user reads, so the bars are hidden.
  const lastPage = useRef(page)
  useEffect(() => {
    if (page !== lastPage.current) setHasBars(false)
    lastPage.current = page
  }, [page])

  const isOffline = useIsOffline()
  useEffect(() => {
    if (isOffline) setHasBars(true)
  }, [isOffline])

  // Before it is painted: an exam has closed pages, and one of them may be the current one.
  useLayoutEffect(() => goToPage($page.get(), count), [count])

  const panels = { reading, onClose: close }
  return (
    <div
      className={`reader ${isFull ? 'is-full' : ''} ${hasBars || panel ? '' : 'is-reading'}`}
      data-order={direction}
    >
      <TopBar
        reading={reading}
        isKept={isKept}
        panel={panel}
        offersExam={offersExam}
        onOpen={open}
      />
      <Stage reading={reading} isKept={isKept} onTap={onTap} />
      <BottomBar count={count} order={direction} />
      <Progress done={count > 1 ? (page - 1) / (count - 1) : 1} />
      {clock ?? <Elsewhere count={count} />}
      {panel === 'contents' && <ContentsPanel {...panels} />}
      {panel === 'find' && <FindPanel {...panels} />}
      {panel === 'view' && (
        <ViewPanel {...panels} isFull={isFull} onFull={toggle} onPrint={() => setPanel('print')} />
      )}
      {panel === 'exam' && examPanel(close)}
      {panel === 'print' && <PrintPanel {...panels} />}
      <p className="visually-hidden" role="status">
        {fillText(texts.page, { page, count })}
      </p>
    </div>
  )
}

/** The reading progress, drawn as the margin line of an exercise book. */
function Progress({ done }: { done: number }) {
  const measure = useCallback(
    (line: HTMLElement | null) => line?.style.setProperty('--done', String(done)),
    [done],
  )
  return <div className="reader__margin" aria-hidden="true" ref={measure} />
}

/** Offers to go to the page that was read later on another device. */
function Elsewhere({ count }: { count: number }) {
  const locale = useLocale()
  const texts = useTexts('reader:elsewhere')
  const place = useStore($elsewhere)
  const page = place?.page ?? 1
  const go = () => {
    goToPage(page, count)
    dismissElsewhere()
  }
  return (
    <div role="status" className="reader__offer">
      {place && (
        <div className="panel">
          <p>{fillText(texts.text, { date: formatDate(locale, place.at), page })}</p>
          <p className="cluster">
            <Button kind="primary" onClick={go}>
              {fillText(texts.go, { page })}
            </Button>
            <Button kind="plain" onClick={dismissElsewhere}>
              {texts.stay}
            </Button>
          </p>
        </div>
      )}
    </div>
  )
}

const subscribe = (onChange: () => void) => {
  document.addEventListener('fullscreenchange', onChange)
  return () => document.removeEventListener('fullscreenchange', onChange)
}

/** Whether the reader is in full screen; `toggle` is null if the browser does not support it. */
function useFullScreen(): { isFull: boolean; toggle: (() => void) | null } {
  const isFull = useSyncExternalStore(
    subscribe,
    () => document.fullscreenElement !== null,
    () => false,
  )
  const toggle = useCallback(() => {
    const done = document.fullscreenElement
      ? document.exitFullscreen()
      : document.documentElement.requestFullscreen()
    // The frame may lack the permission.
    done.catch(() => undefined)
  }, [])
  return { isFull, toggle: document.fullscreenEnabled ? toggle : null }
}

/** Prints pictures, since phones cannot print a PDF in a frame; not before all are loaded. */
function PrintPanel({ reading, onClose }: BookPanelProps) {
  const texts = useTexts('reader:print')
  const printing = useStore($printing)
  const count = reading.sizes.length
  const [from, setFrom] = useState('1')
  const [to, setTo] = useState(String(count))
  const [isInvalid, setIsInvalid] = useState(false)

  useEffect(() => cancelPrinting, [])

  const start = (event: FormEvent) => {
    event.preventDefault()
    const [first, last] = [from, to].map((input) => Number(plainSigns(input)))
    const isRange = isPage(first, count) && isPage(last, count) && first <= last
    setIsInvalid(!isRange)
    if (isRange) void preparePages(first, last)
  }
  return (
    <Panel title={texts.title} onClose={onClose}>
      <p className="soft">{texts.text}</p>
      <form className="stack" onSubmit={start}>
        <div className="reader__range">
          <PageField label={texts.from} value={from} onChange={setFrom} />
          <PageField label={texts.to} value={to} onChange={setTo} />
        </div>
        {isInvalid && <Message kind="line" text={fillText(texts.wrong, { count })} />}
        {printing.phase === 'loading' ? (
          // Has its own key: if React reused the submit button, the click would submit the form.
          <Button key="cancel" onClick={cancelPrinting}>
            {texts.cancel}
          </Button>
        ) : (
          <Button key="start" type="submit" kind="primary">
            {texts.start}
          </Button>
        )}
      </form>
      {printing.phase === 'failed' && <Message kind="error" text={texts.failed} />}
      <div role="status">
        {printing.phase === 'loading' && (
          <>
            <p>{fillText(texts.loading, { done: printing.done, of: printing.of })}</p>
            <progress max={printing.of} value={printing.done} aria-label={texts.title} />
          </>
        )}
        {printing.phase === 'ready' && <p>{texts.ready}</p>}
      </div>
      {printing.phase === 'ready' && <Sheets urls={printing.urls} text={texts.open} />}
    </Panel>
  )
}

const isPage = (page: number | undefined, count: number): page is number =>
  Number.isInteger(page) && Number(page) >= 1 && Number(page) <= count

interface FieldProps {
  label: string
  value: string
  onChange: (value: string) => void
}

function PageField({ label, value, onChange }: FieldProps) {
  const id = useId()
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        size={4}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </p>
  )
}

function Sheets({ urls, text }: { urls: readonly string[]; text: string }) {
  const [isDecoded, setIsDecoded] = useState(false)
  useEffect(() => {
    const pictures = [...document.querySelectorAll<HTMLImageElement>('.reader-sheets img')]
    let isUnmounted = false
    void Promise.allSettled(pictures.map((picture) => picture.decode())).then(() => {
      if (isUnmounted) return
      setIsDecoded(true)
      print()
    })
    return () => {
      isUnmounted = true
    }
  }, [])
  return (
    <>
      {/* Browsers on phones open the print dialog only after a touch. */}
      <Button disabled={!isDecoded} onClick={() => print()}>
        {text}
      </Button>
      {createPortal(
        <div className="reader-sheets" aria-hidden="true">
          {urls.map((url) => (
            <img key={url} src={url} alt="" />
          ))}
        </div>,
        document.body,
      )}
    </>
  )
}

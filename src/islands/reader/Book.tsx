import { useStore } from '@nanostores/react'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { fillText } from '../../i18n/format.ts'
import { $elsewhere, dismissElsewhere } from '../../stores/reader/place.ts'
import type { Reading } from '../../stores/reader/reader.ts'
import { $page, goToPage } from '../../stores/reader/view.ts'
import { useLocale } from '../parts/island.tsx'
import { BottomBar, type PanelName, TopBar, useIsOffline } from './Bars.tsx'
import { ContentsPanel, FindPanel, ViewPanel } from './Panels.tsx'
import { PrintPanel } from './PrintPanel.tsx'
import { Stage } from './Stage.tsx'
import { useTexts } from './texts.ts'
import { useKeys } from './use-keys.ts'

interface Props {
  reading: Reading
  /** Whether the document is read offline from this phone. */
  isKept: boolean
}

export function Book({ reading, isKept }: Props) {
  const texts = useTexts('reader:page')
  const page = useStore($page)
  const { sizes, direction, title } = reading
  const count = sizes.length
  const [panel, setPanel] = useState<PanelName | null>(null)
  const [hasBars, setHasBars] = useState(true)
  const { isFull, toggle } = useFullScreen()

  const open = useCallback(
    (name: PanelName) => setPanel((shown) => (shown === name ? null : name)),
    [],
  )
  const close = useCallback(() => setPanel(null), [])
  const openFind = useCallback(() => setPanel('find'), [])
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

  useEffect(() => {
    document.title = title
    document.querySelector('#first-page')?.remove()
  }, [title])

  const panels = { reading, onClose: close }
  return (
    <div
      className={`reader ${isFull ? 'is-full' : ''} ${hasBars || panel ? '' : 'is-reading'}`}
      data-order={direction}
    >
      <TopBar reading={reading} isKept={isKept} panel={panel} onOpen={open} />
      <Stage reading={reading} isKept={isKept} onTap={onTap} />
      <BottomBar count={count} order={direction} />
      <Progress done={count > 1 ? (page - 1) / (count - 1) : 1} />
      <Elsewhere count={count} />
      {panel === 'contents' && <ContentsPanel {...panels} />}
      {panel === 'find' && <FindPanel {...panels} />}
      {panel === 'view' && (
        <ViewPanel {...panels} isFull={isFull} onFull={toggle} onPrint={() => setPanel('print')} />
      )}
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
            <button type="button" className="button button--primary" onClick={go}>
              {fillText(texts.go, { page })}
            </button>
            <button type="button" className="button button--plain" onClick={dismissElsewhere}>
              {texts.stay}
            </button>
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

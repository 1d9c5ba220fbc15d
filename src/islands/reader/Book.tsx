import { useStore } from '@nanostores/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { fillText } from '../../i18n/format.ts'
import type { Reading } from '../../stores/reader/reader.ts'
import { $page } from '../../stores/reader/view.ts'
import { BottomBar } from './BottomBar.tsx'
import { ContentsPanel } from './ContentsPanel.tsx'
import { Elsewhere } from './Elsewhere.tsx'
import { FindPanel } from './FindPanel.tsx'
import { PrintPanel } from './PrintPanel.tsx'
import { Stage } from './Stage.tsx'
import { type PanelName, TopBar } from './TopBar.tsx'
import { useTexts } from './texts.ts'
import { useFullScreen } from './use-full-screen.ts'
import { useIsOffline } from './use-is-offline.ts'
import { useKeys } from './use-keys.ts'
import { ViewPanel } from './ViewPanel.tsx'

interface Props {
  reading: Reading
  /** Whether the document is read offline from this phone. */
  isKept: boolean
}

/** An open document: its pages, the bars around them, and the open panel. */
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

import { useStore } from '@nanostores/react'
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { fillText } from '../../i18n/format.ts'
import { dirOf } from '../../i18n/locales.ts'
import {
  fittingWidth,
  lineOf,
  type PageOrder,
  pageAt,
  pagesToFetch,
  pictureWidth,
  type ReaderLayout,
  type Shape,
  sharpnessOf,
} from '../../rules/reader.ts'
import { PAGE_WIDTHS } from '../../rules/reading.ts'
import {
  $pageText,
  $pictures,
  followPageText,
  requestPictures,
  retryPage,
} from '../../stores/reader/pictures.ts'
import { $reader, type Reading } from '../../stores/reader/reader.ts'
import { $page, $view, $zoom, goToPage } from '../../stores/reader/view.ts'
import { Button } from '../parts/Button.tsx'
import { useTexts } from './texts.ts'
import { useGestures } from './use-gestures.ts'
import { cellOf, type StageElements, useZoom } from './use-zoom.ts'

interface StageProps {
  reading: Reading
  /** Whether the document is read offline from this phone, which keeps no page texts. */
  isKept: boolean
  /** Called when the user taps the middle of the page. */
  onTap: () => void
}

/** Pages up to this distance from the current one have their picture in the DOM. */
const NEAR = 4

/** The pages, either one at a time in a snapping strip, or one below the other. */
export function Stage({ reading, isKept, onTap }: StageProps) {
  const texts = useTexts('reader:page')
  const stage = useRef<HTMLElement>(null)
  const pages = useRef<HTMLDivElement>(null)
  const { layout } = useStore($view)
  const page = useStore($page)
  const screen = useScreen(stage)
  const { sizes, direction, hasText } = reading
  const count = sizes.length

  const widthOf = useCallback(
    (at: number) => (screen ? fittingWidth(sizes[at - 1] as Shape, screen, layout) : 0),
    [sizes, screen, layout],
  )
  const elements = { stage, pages }
  useZoom(elements, layout)
  const range = useScrolling(elements, { layout, order: direction, count, screen })
  useGestures(elements, { layout, order: direction, count, onTap })
  usePictures({ range, count, widthOf, isReady: screen !== null })

  return (
    <main
      id="main"
      className={`reader__stage reader__stage--${layout}`}
      ref={stage}
      dir={layout === 'single' ? direction : 'ltr'}
      // Keys scroll pages that are larger than the screen.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      aria-label={texts.label}
    >
      <div className="reader__pages" ref={pages}>
        {screen &&
          sizes.map(({ width, height }, at) => {
            const across = widthOf(at + 1)
            return (
              <PageCell
                // biome-ignore lint/suspicious/noArrayIndexKey: pages never change places
                key={at}
                page={at + 1}
                count={count}
                width={across}
                height={(across * height) / width}
                isNear={Math.abs(at + 1 - page) <= NEAR}
                isRead={at + 1 === page && hasText && !isKept}
              />
            )
          })}
      </div>
    </main>
  )
}

/** The size of the stage in CSS pixels; null before it is measured. */
function useScreen(stage: React.RefObject<HTMLElement | null>): Shape | null {
  const [screen, setScreen] = useState<Shape | null>(null)
  useLayoutEffect(() => {
    const element = stage.current
    if (!element) return
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element
      setScreen((known) =>
        known?.width === width && known.height === height ? known : { width, height },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [stage])
  return screen
}

interface CellProps {
  page: number
  count: number
  /** In CSS pixels, before zooming. */
  width: number
  height: number
  /** Whether the picture is shown; far from the screen it would only use memory. */
  isNear: boolean
  /** Whether the page's text is rendered for screen readers. */
  isRead: boolean
}

const PageCell = memo(function PageCell(props: CellProps) {
  const { page, width, height, isNear } = props
  const measure = useCallback(
    (sheet: HTMLElement | null) => {
      sheet?.style.setProperty('--across', `${width}px`)
      sheet?.style.setProperty('--down', `${height}px`)
    },
    [width, height],
  )
  return (
    <div className="reader__cell" data-page={page}>
      <div className="reader__sheet" ref={measure}>
        {isNear && <PagePicture {...props} />}
      </div>
    </div>
  )
})

function PagePicture({ page, count, isRead }: Pick<CellProps, 'page' | 'count' | 'isRead'>) {
  const texts = useTexts('reader:page')
  const picture = useStore($pictures)[page]
  const reader = useStore($reader)
  const isKept = reader.phase === 'shown' && reader.isKept
  if (picture?.phase === 'shown') {
    return (
      <>
        <img
          src={picture.url}
          alt={fillText(texts.page, { page, count })}
          draggable={false}
          data-width={picture.width}
        />
        {isRead && <PageText page={page} />}
      </>
    )
  }
  if (picture?.phase === 'failed') {
    return (
      <div className="reader__missing" role="alert">
        <p dir="auto">{isKept ? texts.notKept : texts.pageFailed}</p>
        <Button onClick={() => retryPage(page)}>{texts.retry}</Button>
      </div>
    )
  }
  return (
    <p className="reader__coming">
      <span aria-hidden="true">{page}</span>
      <span className="visually-hidden">{fillText(texts.pageLoading, { page })}</span>
    </p>
  )
}

/** For screen readers, because the picture's alt text is only the page number. */
function PageText({ page }: { page: number }) {
  const text = useStore($pageText)
  useEffect(() => followPageText(page), [page])
  if (text?.page !== page) return null
  return (
    <div className="visually-hidden">
      {text.passages.map((passage, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: passages never change places
        <p key={at} lang={passage.language} dir={dirOf(passage.language)}>
          {passage.text}
        </p>
      ))}
    </div>
  )
}

interface Options {
  range: { from: number; to: number }
  count: number
  /** In CSS pixels, before zooming. */
  widthOf: (page: number) => number
  isReady: boolean
}

/** Requests the pictures of the visible and nearby pages, and sharper ones of the visible pages. */
function usePictures({ range: { from, to }, count, widthOf, isReady }: Options): void {
  const zoom = useStore($zoom)
  useEffect(() => {
    if (!isReady) return
    const connection = lineOf(navigator)
    const { first, settled } = sharpnessOf(devicePixelRatio, connection)
    const requestFor = (page: number, sharpness: number) => ({
      page,
      width: pictureWidth(widthOf(page), sharpness, PAGE_WIDTHS),
    })
    const pages = pagesToFetch({ from, to }, count, connection.savesData)
    const sharper = pages
      .filter((page) => page >= from && page <= to)
      .map((page) => requestFor(page, settled * zoom))
    const plain = pages.map((page) => requestFor(page, first))
    requestPictures(zoom > 1 ? [...sharper, ...plain] : [...plain, ...sharper])
  }, [from, to, count, widthOf, isReady, zoom])
}

interface UseScrollingOptions {
  layout: ReaderLayout
  order: PageOrder
  count: number
  screen: Shape | null
}

/** Synchronises the current page with the scroll position; returns the visible pages. */
function useScrolling(
  { stage: stageRef }: StageElements,
  { layout, order, count, screen }: UseScrollingOptions,
): { from: number; to: number } {
  const page = useStore($page)
  const zoom = useStore($zoom)
  const starts = useRef<number[]>([])
  const [range, setRange] = useState({ from: page, to: page })
  /** The page opened in the column, where several are visible, until the user scrolls. */
  const target = useRef({ page: 0, top: -1 })

  /** The current page (`at`), in the middle of the screen, and the range of visible pages. */
  const locate = useCallback(
    (stage: HTMLElement) => {
      if (layout === 'single') {
        const at = Math.round(Math.abs(stage.scrollLeft) / stage.clientWidth) + 1
        return { at, from: at, to: at }
      }
      const { scrollTop, clientHeight, scrollHeight } = stage
      const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2
      const isAtStart = scrollTop < 2
      const middle = pageAt(starts.current, scrollTop + clientHeight / 2)
      const isAtTarget = target.current.top === scrollTop
      return {
        at: isAtTarget ? target.current.page : isAtEnd ? count : isAtStart ? 1 : middle,
        from: pageAt(starts.current, scrollTop),
        to: pageAt(starts.current, scrollTop + clientHeight),
      }
    },
    [layout, count],
  )

  const scrollToPage = useCallback(
    (stage: HTMLElement, to: number) => {
      if (layout === 'single') {
        const along = (to - 1) * stage.clientWidth
        stage.scrollTo({ left: order === 'rtl' ? -along : along, behavior: 'instant' })
        const cell = cellOf(stage, to)
        // Starts a zoomed page at the beginning of its lines.
        cell?.scrollTo({ top: 0, left: order === 'rtl' ? cell.scrollWidth : 0 })
      } else {
        stage.scrollTo({ top: starts.current[to - 1] ?? 0, behavior: 'instant' })
        target.current = { page: to, top: stage.scrollTop }
      }
    },
    [layout, order],
  )

  // After a change of size, pages start at other positions, but the current page must stay.
  const known = useRef({ layout, screen })
  // biome-ignore lint/correctness/useExhaustiveDependencies: zooming changes where pages start
  useLayoutEffect(() => {
    const stage = stageRef.current
    if (!stage || !screen) return
    const cells = [...stage.querySelectorAll<HTMLElement>('[data-page]')]
    // Relative to the first page, which starts below the bar, so that every page does after a jump.
    starts.current = cells.map((cell) => cell.offsetTop - (cells[0]?.offsetTop ?? 0))
    const isMoved = known.current.layout !== layout || known.current.screen !== screen
    known.current = { layout, screen }
    if (isMoved) scrollToPage(stage, $page.get())
  }, [stageRef, layout, screen, zoom, scrollToPage])

  useLayoutEffect(() => {
    const stage = stageRef.current
    if (!stage || !screen) return
    if (locate(stage).at !== page) scrollToPage(stage, page)
    const { from, to } = locate(stage)
    setRange((shown) => (shown.from === from && shown.to === to ? shown : { from, to }))
  }, [stageRef, page, screen, locate, scrollToPage])

  useEffect(() => {
    const stage = stageRef.current
    if (!stage || !screen) return
    let frame = 0
    const follow = () => {
      frame = 0
      // Positions are wrong between a resize of the window and the next rendering of the pages.
      if (stage.clientWidth !== screen.width) return
      if (stage.scrollTop !== target.current.top) target.current.top = -1
      const { at, from, to } = locate(stage)
      setRange((shown) => (shown.from === from && shown.to === to ? shown : { from, to }))
      goToPage(at, count)
    }
    const onScroll = (event: Event) => {
      if (event.target === stage) frame ||= requestAnimationFrame(follow)
    }
    stage.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      stage.removeEventListener('scroll', onScroll)
      cancelAnimationFrame(frame)
    }
  }, [stageRef, screen, count, locate])

  return range
}

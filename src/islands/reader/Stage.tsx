import './stage.css'
import { useStore } from '@nanostores/react'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { fittingWidth, type Shape } from '../../rules/reader.ts'
import type { Reading } from '../../stores/reader/reader.ts'
import { $page, $view } from '../../stores/reader/view.ts'
import { PageCell } from './PageCell.tsx'
import { useTexts } from './texts.ts'
import { useGestures } from './use-gestures.ts'
import { usePictures } from './use-pictures.ts'
import { useScrolling } from './use-scrolling.ts'
import { useZoom } from './use-zoom.ts'

interface Props {
  reading: Reading
  /** Read from this phone, which has no texts of pages. */
  isKept: boolean
  /** Called when the middle of the page is tapped. */
  onTap: () => void
}

/** Pages this far from the one that is read have their picture in the document. */
const NEAR = 4

/** The pages: one at a time in a strip that snaps, or one below the other. */
export function Stage({ reading, isKept, onTap }: Props) {
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
      // Keys move what is larger than the screen.
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

/** The size of the screen's part that shows pages, in CSS pixels; null before it is known. */
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

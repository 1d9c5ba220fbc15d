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
  /** Whether the document is read offline from this phone, which keeps no page texts. */
  isKept: boolean
  /** Called when the user taps the middle of the page. */
  onTap: () => void
}

/** Pages up to this distance from the current one have their picture in the DOM. */
const NEAR = 4

/** The pages, either one at a time in a snapping strip, or one below the other. */
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

interface Point {
  clientX: number
  clientY: number
}

/**
 * Scales the pages under two fingers with a CSS transform, which is fast enough on old phones. When
 * the fingers are lifted, `onEnd` receives the scale and the point between them. Returns a stop
 * function.
 */
export function followPinch(
  stage: HTMLElement,
  pages: HTMLElement,
  onEnd: (scale: number, point: Point) => void,
): () => void {
  let start: { apart: number; middle: Point } | null = null
  let scale = 1
  let middle: Point = { clientX: 0, clientY: 0 }

  const onStart = ({ touches }: TouchEvent) => {
    const two = pairOf(touches)
    if (!two) return
    start = two
    scale = 1
    middle = two.middle
    const box = pages.getBoundingClientRect()
    pages.style.transformOrigin = `${middle.clientX - box.x}px ${middle.clientY - box.y}px`
  }
  const onMove = (event: TouchEvent) => {
    const two = pairOf(event.touches)
    if (!start || !two) return
    // Otherwise the browser would scroll, or zoom the page including its bars.
    if (event.cancelable) event.preventDefault()
    scale = two.apart / start.apart
    middle = two.middle
    const x = middle.clientX - start.middle.clientX
    const y = middle.clientY - start.middle.clientY
    pages.style.transform = `translate(${x}px, ${y}px) scale(${scale})`
  }
  const onLift = ({ touches }: TouchEvent) => {
    if (!start || touches.length > 1) return
    const { middle: from } = start
    start = null
    const transform = pages.style.transform
    pages.style.transform = ''
    if (transform === '') return
    onEnd(scale, from)
  }

  stage.addEventListener('touchstart', onStart, { passive: true })
  stage.addEventListener('touchmove', onMove, { passive: false })
  stage.addEventListener('touchend', onLift)
  stage.addEventListener('touchcancel', onLift)
  return () => {
    stage.removeEventListener('touchstart', onStart)
    stage.removeEventListener('touchmove', onMove)
    stage.removeEventListener('touchend', onLift)
    stage.removeEventListener('touchcancel', onLift)
  }
}

function pairOf({ length, 0: one, 1: other }: TouchList): { apart: number; middle: Point } | null {
  if (length !== 2 || !one || !other) return null
  return {
    apart: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
    middle: {
      clientX: (one.clientX + other.clientX) / 2,
      clientY: (one.clientY + other.clientY) / 2,
    },
  }
}

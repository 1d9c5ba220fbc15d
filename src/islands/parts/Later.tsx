import { useStore } from '@nanostores/react'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { createLoaderFor, notLoaded } from '../../stores/shared/loader.ts'
import { LoadState, type LoadStateTexts } from './States.tsx'

interface Props<Given extends object> extends LoadStateTexts {
  load: () => Promise<ComponentType<Given>>
  /** The props of the component. */
  give: Given
}

/** Far enough below the screen that the part is loaded when the user scrolls to it. */
const AHEAD = '50%'

// Code is the same for every user, with or without a session.
const anyone = () => 0

/** A part of a page that is loaded only when it comes near the screen; on phones, often never. */
export function Later<Given extends object>({ load, give, ...texts }: Props<Given>) {
  const place = useRef<HTMLDivElement>(null)
  const [loader] = useState(() => createLoaderFor<ComponentType<Given>>(anyone, 'part of the page'))
  const state = useStore(loader.$state, { ssr: notLoaded })
  const start = () => void loader.load(load)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on mounting
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        start()
      },
      { rootMargin: AHEAD },
    )
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  if (state.phase === 'ready') return <state.value {...give} />
  return (
    <div ref={place}>
      <LoadState state={state} {...texts} onRetry={start}>
        {() => null}
      </LoadState>
    </div>
  )
}
